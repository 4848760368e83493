import { type LayoutLine, renderLines } from './layout';
import type { TokenCounter } from './tokens';

/** Tokens of document text in one call: leaves room for the answer in a context of 64k. */
export const WINDOW_TOKENS = 40_000;
/** What a document is told by: its beginning. */
export const CLASSIFY_TOKENS = 6_000;

/** A part of the document that fits one call, and the page that it begins with. */
export interface DocumentWindow {
  readonly text: string;
  readonly firstPage: number;
}

/** One page's lines. */
export interface PageLines {
  readonly page: number;
  readonly lines: readonly LayoutLine[];
}

/**
 * The document in parts of at most `budget` tokens each, cut between pages; a page that is too long alone is cut
 * between lines. Pages without lines are left out.
 */
export function windows(
  pages: readonly PageLines[],
  totalPages: number,
  countTokens: TokenCounter,
  budget: number = WINDOW_TOKENS,
): DocumentWindow[] {
  const found: DocumentWindow[] = [];
  let current: string[] = [];
  let firstPage = 1;
  let used = 0;
  const flush = () => {
    if (current.length > 0) found.push({ text: current.join('\n'), firstPage });
    current = [];
    used = 0;
  };
  for (const page of pages) {
    for (const part of splitPage(page, totalPages, countTokens, budget)) {
      const tokens = countTokens(part);
      if (used + tokens > budget) flush();
      if (current.length === 0) firstPage = page.page;
      current.push(part);
      used += tokens;
    }
  }
  flush();
  return found;
}

/** The beginning of the document, at most `budget` tokens and never less than a part of the first page. */
export function beginning(
  pages: readonly PageLines[],
  totalPages: number,
  countTokens: TokenCounter,
  budget: number = CLASSIFY_TOKENS,
): string {
  const enough: PageLines[] = [];
  let used = 0;
  for (const page of pages) {
    if (page.lines.length === 0) continue;
    enough.push(page);
    used += countTokens(renderLines(page.page, page.lines, totalPages));
    if (used >= budget) break;
  }
  return windows(enough, totalPages, countTokens, budget)[0]?.text ?? '';
}

function splitPage(
  { page, lines }: PageLines,
  totalPages: number,
  countTokens: TokenCounter,
  budget: number,
): string[] {
  if (lines.length === 0) return [];
  const text = renderLines(page, lines, totalPages);
  if (lines.length === 1 || text.length < budget || countTokens(text) <= budget) return [text];
  const half = Math.ceil(lines.length / 2);
  return [lines.slice(0, half), lines.slice(half)].flatMap((part) =>
    splitPage({ page, lines: part }, totalPages, countTokens, budget),
  );
}
