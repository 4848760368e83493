/** What a file system and a list can show: 255 UTF-16 units, the end of the name kept for its extension. */
const MAX_LENGTH = 255;

// Control characters, and invisible ones that change the order or hide a part of a name ("cod\u202Efdp.exe").
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]/g;

/**
 * A name from outside as it is kept and shown: the last part of any path, without characters that can't be stored or
 * that deceive the eye, never empty, at most 255 UTF-16 units. It is a label: no file is ever opened by it.
 */
export function cleanFilename(raw: string): string {
  const visible = raw.toWellFormed().replace(INVISIBLE, '').normalize('NFC');
  const last = visible.split(/[/\\]/).findLast((part) => part.trim() !== '') ?? '';
  const name = last.trim();
  if (name === '' || /^\.+$/.test(name)) return 'document.pdf';
  return shorten(name);
}

function shorten(name: string): string {
  if (name.length <= MAX_LENGTH) return name;
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? '';
  const room = MAX_LENGTH - extension.length - 1;
  // By whole characters: half an emoji can't be stored.
  const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(
    name.slice(0, room + 50),
  );
  let kept = '';
  for (const { segment } of graphemes) {
    if (kept.length + segment.length > room) break;
    kept += segment;
  }
  return `${kept || name.slice(0, room).toWellFormed()}…${extension}`;
}
