const RULES_MODEL = /^tickmark-rules-/;

/** A model's name, with the truth about the built-in one: `tickmark-rules-1 · rules, not an LLM`. */
export function modelWords(model: string): string {
  return RULES_MODEL.test(model) ? `${model} · rules, not an LLM` : model;
}
