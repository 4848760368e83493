import type { DocumentText, Line } from './page-text';

/** The lines as one text, hyphens at line ends joined, with the way back to the lines. */
export interface RunningText {
  readonly text: string;
  readonly lineAt: (offset: number) => Line | null;
}

/** Contracts say who they are between on their first pages; governing law stands near the end. */
export function runningText(document: DocumentText, maxLines = 6_000): RunningText {
  const starts: number[] = [];
  const lines: Line[] = [];
  const parts: string[] = [];
  let length = 0;
  for (const line of document.lines.slice(0, maxLines)) {
    const text = line.text.replace(/\s+/g, ' ').trim();
    starts.push(length);
    lines.push(line);
    const isHyphenated = /\p{Ll}-$/u.test(text);
    const part = isHyphenated ? text.slice(0, -1) : `${text} `;
    parts.push(part);
    length += part.length;
  }
  const lineAt = (offset: number) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return lines[low] ?? null;
  };
  return { text: parts.join(''), lineAt };
}
