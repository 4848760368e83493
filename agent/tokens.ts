import { countTokens as count } from 'gpt-tokenizer/encoding/o200k_base';

/** Tokens of a text as current OpenAI models count them; other models differ by some per cent. */
export function countTokens(text: string): number {
  // Text of a document may hold what looks like a control token; it is plain text here.
  return count(text, { disallowedSpecial: new Set() });
}
