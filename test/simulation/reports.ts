import { Callback } from '@/lib/contract/callback';
import { DomainError } from '@/lib/errors';
import type { Delivery } from '@/lib/queue/callback';
import type { SimRun } from './sim-runner';
import type { Deeds } from './step';
import { Broken, type World } from './world';

type Kind = 'succeeded' | 'failed' | 'progress';

/** What runs report: once, late, twice, together, contradicting themselves, and what nobody could have meant. */
export const reports = {
  async succeed(w, how) {
    await end(w, how, 'succeeded', {});
  },

  async fail(w, how) {
    const code = ['internal', 'model_unavailable', 'of_their_own', 'corrupt_pdf'][how.b % 4];
    await end(w, how, 'failed', { error: { code, retryable: how.b % 8 !== 3, message: '\0' } });
  },

  async rateLimited(w, how) {
    const retryAfterSeconds = how.b % 3 === 0 ? null : how.b % 30;
    await end(w, how, 'failed', { error: { code: 'rate_limited', retryable: true, retryAfterSeconds } });
  },

  async progress(w, { a, b }) {
    const run = pick(w.runner.alive(), a);
    if (run) await w.deliver([make(w, run, 'progress', b, { progress: { done: b, total: 50 } })]);
  },

  /** A run that has reported its end reports another one. */
  async contradict(w, { a, b }) {
    const run = pick(
      [...w.runner.runs.values()].filter(({ outbox }) => outbox),
      a,
    );
    if (!run) return;
    const kind = b % 2 === 0 ? 'succeeded' : 'failed';
    await w.deliver([make(w, run, kind, b, { error: { code: 'internal', retryable: b % 3 > 0 } })]);
  },

  /** Deliveries of any age in one group, some twice, also several of one attempt and of several attempts of one task. */
  async deliverAgain(w, { a, b }) {
    if (w.deliveries.length === 0) return;
    const size = 1 + (b % 5);
    const chosen = Array.from({ length: size }, (_, n) => pick(w.deliveries, a + n * (1 + (b % 3))));
    const group = chosen.flatMap((one) => one ?? []);
    if (b % 4 === 3) await w.deliverByGroups(group);
    else await w.deliver(b % 2 === 0 ? group : [...group.reverse(), ...group.slice(0, 1)]);
  },

  async deliverStrange(w, { a, b }) {
    const known = pick([...w.runner.runs.values()], a);
    const nobody = '00000000-0000-4000-8000-000000000000';
    const about = {
      taskId: known?.taskId ?? nobody,
      attemptId: b % 3 === 0 ? nobody : (known?.attemptId ?? nobody),
    };
    const odd = `\0${String.fromCharCode(0xdfff)}${'x'.repeat(b)}`;
    const callback = Callback.parse({
      type: 'attempt.progress',
      ...about,
      ...(b % 3 === 1 ? { taskId: nobody } : {}),
      traceId: odd,
      progress: { done: 1_000_000, total: 0 },
      usage: null,
    });
    const webhookId = `${odd.repeat(1 + (b % 9))}${w.nextNumber()}`;
    const [answer] = await w.deliver([{ attemptId: about.attemptId, webhookId, callback }]);
    const refused = answer instanceof DomainError;
    if (refused !== (b % 3 !== 2 || !known))
      throw new Broken(`invariant 9: answered ${JSON.stringify(answer)}`);
  },

  /** Runs that die without a word. */
  async vanish(w, { a, b }) {
    const run = pick(w.runner.alive(), a);
    if (!run) return;
    run.alive = false;
    if (b % 3 === 0) run.code = b % 2 === 0 ? 'resource_limit' : 'timeout';
  },
} satisfies Partial<Deeds>;

const pick = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)];

/** A run's end: it leaves its report in the outbox, calls back (or not yet, or never), and ends (or lingers). */
async function end(w: World, { a, b }: { a: number; b: number }, kind: Kind, body: Record<string, unknown>) {
  const run = pick(
    w.runner.alive().filter(({ outbox }) => !outbox),
    a,
  );
  if (!run) return;
  const delivery = make(w, run, kind, b, body);
  run.outbox = delivery;
  if (b % 3 > 0) run.alive = false;
  // Else it comes with `deliverAgain`, or never.
  if (b % 4 > 0) await w.deliver([delivery]);
}

/** Every run that is still alive succeeds, all at once. */
export async function succeedAll(w: World): Promise<void> {
  const alive = w.runner.alive();
  const silent = alive.filter(({ outbox }) => !outbox);
  for (const run of silent) run.outbox = make(w, run, 'succeeded', 1, {});
  for (const run of alive) run.alive = false;
  if (silent.length > 0) await w.deliver(silent.flatMap(({ outbox }) => outbox ?? []));
}

function make(w: World, run: SimRun, kind: Kind, b: number, body: Record<string, unknown>): Delivery {
  const { taskId, attemptId } = run;
  const n = w.nextNumber();
  const delivery = {
    attemptId: b % 2 === 0 ? attemptId : attemptId.toUpperCase(),
    webhookId: `msg_${n}`,
    callback: Callback.parse({
      type: `attempt.${kind}`,
      taskId,
      attemptId,
      runId: b % 2 === 0 ? run.runId : null,
      result: {
        documentType: attemptId,
        confidence: [0.5, 1e-300, null][b % 3],
        fields: [{ name: '\0', value: n }],
      },
      ...body,
      usage: b % 6 === 5 ? null : usage(n, b, run.model),
    }),
  };
  w.deliveries.push(delivery);
  return delivery;
}

/** Cumulative, so that what is said later is more; some of it at a price that is known, some without. */
function usage(n: number, b: number, model: string | null) {
  const costUsd = b % 2 === 0 ? `0.0000000${n % 90}7` : null;
  return { inputTokens: 20 + n * 7, cachedInputTokens: n, outputTokens: n, model, costUsd };
}
