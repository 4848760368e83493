import { Refusal } from './refusal';

/**
 * Calls per second that one workspace takes of each kind
 * [https://docs.databricks.com/aws/en/resources/limits]; a second's worth may come at once. `Retry-After` is not promised by the
 * documents; the Python SDK reads whole seconds (`errors/customizer.py`).
 */
const PER_SECOND = {
  'run-now': 20,
  'runs/get': 100,
  'runs/list': 30,
  'runs/get-output': 20,
  'runs/cancel': 10,
  'runs/cancel-all': 5,
  'runs/delete': 20,
  create: 20,
  get: 20,
} as const;

export type LimitedCall = keyof typeof PER_SECOND;

export interface RateLimits {
  /** Throws a 429 when a call comes too early. */
  take(call: LimitedCall): void;
  /** How often each call was refused. */
  readonly refused: ReadonlyMap<LimitedCall, number>;
  /** Whether refusals say when to come again. */
  retryAfter: boolean;
}

export function createRateLimits(now: () => number): RateLimits {
  const buckets = new Map<LimitedCall, { level: number; at: number }>();
  const refused = new Map<LimitedCall, number>();
  const limits: RateLimits = {
    refused,
    retryAfter: true,
    take(call) {
      const perSecond = PER_SECOND[call];
      const at = now();
      const bucket = buckets.get(call) ?? { level: perSecond, at };
      bucket.level = Math.min(perSecond, bucket.level + ((at - bucket.at) * perSecond) / 1000);
      bucket.at = at;
      buckets.set(call, bucket);
      if (bucket.level >= 1) {
        bucket.level -= 1;
        return;
      }
      refused.set(call, (refused.get(call) ?? 0) + 1);
      const headers: Record<string, string> = limits.retryAfter ? { 'retry-after': '1' } : {};
      throw new Refusal(
        429,
        'REQUEST_LIMIT_EXCEEDED',
        `Too many calls of jobs/${call} in this workspace.`,
        headers,
      );
    },
  };
  return limits;
}
