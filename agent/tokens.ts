/** Counts the tokens of a text. */
export type TokenCounter = (text: string) => number;

/**
 * Counts as current OpenAI models do; other models differ by some per cent. Loaded when first needed: the table takes
 * 70 MB, and the reader thread shares this script but never counts.
 */
export async function loadTokenCounter(): Promise<TokenCounter> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  // Text of a document may hold what looks like a control token; it is plain text here.
  return (text) => countTokens(text, { disallowedSpecial: new Set() });
}
