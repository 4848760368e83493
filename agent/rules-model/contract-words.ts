/** `\\b` knows ASCII letters only: "finalizará" would not end where it ends. */
export function withWords(pattern: RegExp): RegExp {
  const boundary = '(?:(?<=[\\p{L}\\p{N}])(?![\\p{L}\\p{N}])|(?<![\\p{L}\\p{N}])(?=[\\p{L}\\p{N}]))';
  return new RegExp(
    pattern.source.replaceAll('\\b', boundary),
    [...new Set([...pattern.flags, 'u'])].join(''),
  );
}

/** As many words of a value as stand on the line where it begins. */
export function quoteIn(line: string, value: string): string {
  const words = value.split(' ');
  for (let count = words.length; count > 1; count--) {
    const part = words.slice(0, count).join(' ');
    if (line.includes(part)) return part;
  }
  return words[0] ?? value;
}
