import { setImmediate } from 'node:timers/promises';
import Big from 'big.js';
import { z } from 'zod';
import { storableText } from '@/lib/contract/text';
import type { TracedCall } from './port';
import type { Span } from './span-json';

/** Counts are kept in `bigint` columns and read back as JavaScript numbers, hence the ceiling. Some servers write 64-bit numbers as texts. */
const Count = z.coerce.number().int().min(0).max(1_000_000_000_000).catch(0);

const TokenUsage = z.object({
  input_tokens: Count,
  output_tokens: Count,
  cache_read_input_tokens: Count,
  cache_creation_input_tokens: Count,
});

const MAX_USD = new Big('999999999999');
/** Digits after the point of an amount of money, as the database keeps them. */
const MONEY_SCALE = 12;

type Tokens = Omit<TracedCall, 'model' | 'costUsd' | 'pricedBy'>;

/**
 * The model calls of a trace, from its spans. Where a span and one above it both carry figures, the upper one counts, as in
 * MLflow since its fix of doubled totals (mlflow/mlflow#24339); a span that came twice counts once. Usage and cost of one
 * call may be on different spans; then they are brought together.
 */
export function sumCalls(spans: readonly Span[]): TracedCall[] {
  const summing = sumInSlices(spans);
  for (;;) {
    const { done, value } = summing.next();
    if (done) return value;
  }
}

/** {@link sumCalls} of many spans, a slice at a time, so that heartbeats and callbacks go on meanwhile. */
export async function sumManyCalls(spans: readonly Span[]): Promise<TracedCall[]> {
  const summing = sumInSlices(spans);
  for (;;) {
    const { done, value } = summing.next();
    if (done) return value;
    await setImmediate();
  }
}

/** Spans that are looked at between two turns of other work: about five milliseconds. */
const SLICE = 500;

function* sumInSlices(spans: readonly Span[]): Generator<void, TracedCall[]> {
  const byId = new Map(spans.map((span) => [span.id, span]));
  const children = new Map<string | null, Span[]>();
  for (const span of byId.values()) {
    const parent = span.parentId !== null && byId.has(span.parentId) ? span.parentId : null;
    const siblings = children.get(parent);
    if (siblings) siblings.push(span);
    else children.set(parent, [span]);
  }
  const below = (span: Span) => children.get(span.id) ?? [];
  const calls: TracedCall[] = [];
  const tops: Span[] = [];
  yield* descend(children.get(null) ?? [], below, (span) => {
    const isCall = tokensOf(span) !== null || costOf(span) !== null;
    if (isCall) tops.push(span);
    return !isCall;
  });
  for (const [n, top] of tops.entries()) {
    if (n % SLICE === SLICE - 1) yield;
    calls.push(yield* callAt(top, below));
  }
  return calls;
}

/**
 * Visits spans from `tops` down, level by level, each once; what is below one only where `visit` says so. A list of what is
 * to come and no recursion: depth, breadth and loops come from outside, and the work grows with the number of spans only.
 */
function* descend(tops: readonly Span[], below: Below, visit: (span: Span) => boolean): Generator<void> {
  const seen = new Set<string>();
  const queue = [...tops];
  // The array grows while it is walked.
  for (const span of queue) {
    if (seen.has(span.id)) continue;
    seen.add(span.id);
    if (seen.size % SLICE === 0) yield;
    if (visit(span)) for (const child of below(span)) queue.push(child);
  }
}

type Below = (span: Span) => readonly Span[];

function* callAt(top: Span, below: Below): Generator<void, TracedCall> {
  const tokens = (yield* uppermost(top, below, tokensOf)).map(({ found }) => found);
  const costs = yield* uppermost(top, below, costOf);
  const models = (yield* uppermost(top, below, modelOf)).map(({ found }) => found);
  const priced = costs.length > 0;
  return {
    model: models[0] ?? null,
    inputTokens: sum(tokens, 'inputTokens'),
    cachedInputTokens: sum(tokens, 'cachedInputTokens'),
    cacheWriteTokens: sum(tokens, 'cacheWriteTokens'),
    outputTokens: sum(tokens, 'outputTokens'),
    costUsd: priced
      ? costs
          .reduce((all, { found }) => all.plus(found), new Big(0))
          .round(MONEY_SCALE)
          .toFixed()
      : null,
    pricedBy: priced
      ? costs.every(({ span }) => span.attributes.has('tickmark.price'))
        ? 'run'
        : 'server'
      : null,
  };
}

/** What `of` finds in the uppermost spans that have it, from `top` down. */
function* uppermost<T>(
  top: Span,
  below: Below,
  of: (span: Span) => T | null,
): Generator<void, { span: Span; found: T }[]> {
  const all: { span: Span; found: T }[] = [];
  yield* descend([top], below, (span) => {
    const found = of(span);
    if (found !== null) all.push({ span, found });
    return found === null;
  });
  return all;
}

function tokensOf({ attributes }: Span): Tokens | null {
  const usage = TokenUsage.safeParse(attributes.get('mlflow.chat.tokenUsage'));
  if (!usage.success) return null;
  const cached = usage.data.cache_read_input_tokens;
  const written = usage.data.cache_creation_input_tokens;
  return {
    inputTokens: Math.max(usage.data.input_tokens, cached + written),
    cachedInputTokens: cached,
    cacheWriteTokens: written,
    outputTokens: usage.data.output_tokens,
  };
}

function costOf({ attributes }: Span): Big | null {
  return exactUsd((attributes.get('mlflow.llm.cost') as { total_cost?: unknown } | undefined)?.total_cost);
}

/**
 * An amount in US dollars that came as a JSON number. Its shortest decimal form is what was written: up to 15 digits, which
 * is more than amounts of under 1,000 dollars have here, survive as a double.
 */
export function exactUsd(value: unknown): Big | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  try {
    const amount = new Big(value);
    return amount.gte(0) && amount.lte(MAX_USD) ? amount.round(MONEY_SCALE) : null;
  } catch {
    return null;
  }
}

function modelOf({ attributes }: Span): string | null {
  const model = attributes.get('mlflow.llm.model') ?? attributes.get('gen_ai.response.model');
  return typeof model === 'string' && model.length > 0 ? storableText(model.slice(0, 200)) : null;
}

function sum(tokens: readonly Tokens[], key: keyof Tokens): number {
  return tokens.reduce((all, one) => all + one[key], 0);
}

/** As the column holds it; a run that says more than that is never found to be whole. */
const MAX_CALLS = 2 ** 31 - 1;
const CallCount = z.coerce
  .number()
  .min(0)
  .transform((count) => Math.min(Math.ceil(count), MAX_CALLS));

/** How many calls the run says it made; null where no root span says. */
export function expectedCalls(spans: readonly Span[]): number | null {
  for (const { parentId, attributes } of spans) {
    const said = attributes.get('tickmark.model_calls');
    if (parentId !== null || said === undefined || said === null) continue;
    const parsed = CallCount.safeParse(said);
    if (parsed.success) return parsed.data;
  }
  return null;
}

/** The attempts that root spans name as theirs. */
export function attemptsNamed(spans: readonly Span[]): string[] {
  const named = spans
    .filter(({ parentId }) => parentId === null)
    .map(({ attributes }) => attributes.get('tickmark.attempt_id'));
  return [...new Set(named.filter((id) => typeof id === 'string'))];
}
