import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** Characters that are counted at once: a run without spaces takes time that grows faster than its length. */
const PIECE = 2_000;
/** Other requests get their turn after this long. */
const SLICE_MS = 25;

/** Gives the event loop a turn. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Cuts a text where a space is, so that no word's tokens are counted in two halves unless it is endless. */
function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + PIECE, text.length);
    if (to < text.length) {
      const space = text.lastIndexOf(' ', to);
      const newline = text.lastIndexOf('\n', to);
      const cut = Math.max(space, newline);
      if (cut > from + PIECE / 2) to = cut;
    }
    yield text.slice(from, to);
    from = to;
  }
}

/**
 * Tokens of a text (o200k), counted in slices so that a huge text does not hold up others.
 * @param stopAt counting ends soon after this many
 */
export async function countTokensGently(text: string, stopAt = Number.POSITIVE_INFINITY): Promise<number> {
  let tokens = 0;
  let sliceStart = performance.now();
  for (const piece of piecesOf(text)) {
    // What looks like a control token in a document is plain text.
    tokens += countTokens(piece, { disallowedSpecial: new Set() });
    if (tokens > stopAt) return tokens;
    if (performance.now() - sliceStart > SLICE_MS) {
      await breathe();
      sliceStart = performance.now();
    }
  }
  return tokens;
}
