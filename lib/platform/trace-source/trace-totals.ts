import type { TracedCall } from './port';
import { sumCalls } from './sum-calls';

/** The totals of a trace's metadata as one call, whose model is not told; null where there are none. */
export function totalsOf(metadata: Readonly<Record<string, string>>): TracedCall | null {
  const attributes = new Map<string, unknown>([['tickmark.price', 'run']]);
  for (const [key, attribute] of [
    ['mlflow.trace.tokenUsage', 'mlflow.chat.tokenUsage'],
    ['mlflow.trace.cost', 'mlflow.llm.cost'],
  ] as const) {
    try {
      if (metadata[key] !== undefined) attributes.set(attribute, JSON.parse(metadata[key]));
    } catch {
      // Cut to 250 characters by some servers: then it is not known.
    }
  }
  return sumCalls([{ id: 'totals', parentId: null, attributes }])[0] ?? null;
}
