import type { Row } from './item-rows';
import type { Cell } from './page-text';
import { columnAt } from './table-grid';
import type { TableRegion } from './table-rows';

export function wordingOf(row: Row, region: TableRegion): { text: string | null; cells: readonly Cell[] } {
  const { columns } = region.head;
  const hasColumn = columns.some((column) => column.concept === 'description');
  const isDescription = (cell: Cell) => {
    const concept = columns[columnAt(columns, cell.start, cell.end)]?.concept;
    return concept === 'description' || (!hasColumn && concept !== 'unit' && concept !== 'taxRate');
  };
  const own = row.main.words.filter((cell) => isDescription(cell) && isWording(cell));
  if (own.length > 0) return { text: clean(own, row), cells: own };
  // Set in the middle of its position, the line with the numbers may have the words above it.
  const above = region.lines.find((other) => other.line.index === row.main.line.index - 1);
  const words = above && above.numbers.length === 0 ? above.words.filter(isWording) : [];
  if (words.length > 0) return { text: clean(words, row), cells: words };
  const below = region.lines.find((other) => other.line.index === row.main.line.index + 1);
  const under =
    !row.main.words.some(isWording) && below && below.numbers.length === 0
      ? below.words.filter(isWording)
      : [];
  if (under.length > 0) return { text: clean(under, row), cells: under };
  const lettered = row.main.words.filter((cell) => /\p{L}{2}/u.test(cell.text));
  return { text: lettered.length > 0 ? clean(lettered, row) : null, cells: lettered };
}

/** Words for a person, not a code such as "GLN:598785412". */
function isWording(cell: Cell): boolean {
  return /\p{L}{2}/u.test(cell.text) && !/^[\p{L}#. ]{0,14}:\s*[\d.-]+$/u.test(cell.text);
}

function clean(cells: readonly Cell[], row: Row): string {
  const text = cells
    .map((cell) => cell.text)
    .join(' ')
    .trim();
  return row.hasPosition ? text : text.replace(/^\d{1,3}[.)]?\s+(?=\p{Lu})/u, '');
}

/** Continues a description on the lines below it, as long as nothing else stands there. */
export function continuation(row: Row, next: Row | undefined, region: TableRegion): string[] {
  const from = region.lines.indexOf(row.main) + 1;
  const until = next ? region.lines.indexOf(next.main) : region.lines.length;
  const start = row.main.words[0]?.start ?? 0;
  const more: string[] = [];
  for (const line of region.lines.slice(from, Math.min(until, from + 2))) {
    const [cell] = line.words;
    const isWrapped =
      line.numbers.length === 0 &&
      line.words.length === 1 &&
      cell !== undefined &&
      Math.abs(cell.start - start) <= 3 &&
      /^[\p{Ll}(~]/u.test(cell.text);
    if (!isWrapped || line.line.page !== row.main.line.page) break;
    more.push(cell.text);
  }
  return more;
}
