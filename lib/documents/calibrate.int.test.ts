import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { readAgents } from '@/lib/dashboard/agents';
import { QueueWorld } from '@/test/queue-world';
import { calibrate, readCalibration } from './calibrate';
import { estimateFromText } from './estimate';
import { recordInspection, takeUninspected } from './inspect';

let world: QueueWorld;
beforeAll(async () => {
  world = await QueueWorld.create();
});
afterAll(() => world.close());
beforeEach(() => world.reset());

const PAGES = 3;
const CHARS = 4000;

/** A document, inspected as the worker does it. */
async function inspected(): Promise<string> {
  const documentId = await world.document();
  const [taskId] = await world.enqueue(1, { documentId, estimate: undefined });
  const [taken] = await takeUninspected(world.db, { workerId: 'w1', limit: 1, holdSeconds: 30 });
  if (!taken || !taskId) throw new Error('nothing to inspect');
  await recordInspection(world.db, taken, { pageCount: PAGES, textChars: CHARS, verdict: null }, 2000);
  return taskId;
}

/** Documents that took so many times what they were first estimated at. */
async function finished(n: number, factor: number): Promise<void> {
  const raw = estimateFromText(PAGES, CHARS);
  for (let i = 0; i < n; i++) {
    await inspected();
    const [claimed] = await world.claim(1);
    if (!claimed) throw new Error('nothing claimed');
    await world.dispatch(claimed);
    await world.succeed(claimed, {
      usage: { inputTokens: Math.round(raw.tokens * factor), outputTokens: 0 },
    });
    await world.db.execute(sql`
      update tickmark.task_attempts
      set dispatched_at = finished_at - make_interval(secs => ${raw.seconds * factor}::float8)
      where id = ${claimed.attemptId}::uuid`);
  }
}

it('M9: what finished attempts took makes a version, and new documents are estimated with it', async () => {
  await finished(6, 2);
  expect(await calibrate(world.db)).toEqual(['invoice']);
  const learnt = await readCalibration(world.db, 'invoice');
  expect(learnt).toMatchObject({ version: 1, samples: 6 });
  expect(learnt?.text.tokens).toBeCloseTo(2, 2);
  const task = await world.task(await inspected());
  expect(task.estimate_version).toBe(1);
  expect(Number(task.estimated_tokens) / estimateFromText(PAGES, CHARS).tokens).toBeCloseTo(2, 2);
  expect(Number(task.estimated_seconds) / estimateFromText(PAGES, CHARS).seconds).toBeCloseTo(2, 2);
});

it('shows how far off the estimates were, and that they get better', async () => {
  await finished(6, 2);
  await calibrate(world.db);
  const [before] = await readAgents(world.db, 'invoice');
  expect(before?.estimates).toMatchObject({ version: 1, samples: 6 });
  expect(before?.estimates.tokenError).toBeCloseTo(0.5, 2);
  expect(before?.estimates.secondsError).toBeCloseTo(0.5, 2);
  await finished(8, 2);
  await calibrate(world.db);
  const [after] = await readAgents(world.db, 'invoice');
  expect(after?.estimates.tokenError).toBeLessThan(0.05);
});

it('makes no version without news, and several workers at once make one', async () => {
  await finished(6, 1.5);
  const made = await Promise.all(Array.from({ length: 6 }, () => calibrate(world.db)));
  expect(made.flat()).toEqual(['invoice']);
  expect(await calibrate(world.db)).toEqual([]);
  await finished(7, 4);
  expect(await calibrate(world.db)).toEqual(['invoice']);
  expect((await readCalibration(world.db, 'invoice'))?.version).toBe(2);
});

it('learns nothing from what failed, nor from work that is no document', async () => {
  for (let i = 0; i < 6; i++) {
    const other = await world.running();
    await world.succeed(other, { usage: { inputTokens: 80, outputTokens: 0 } });
    await world.fail(await world.running(), { code: 'no_text_found', retryable: false });
  }
  expect(await calibrate(world.db)).toEqual([]);
  const [agent] = await readAgents(world.db, 'invoice');
  expect(agent?.estimates).toMatchObject({ version: null });
  expect(agent?.estimates.tokenError).toBeCloseTo(0.25, 2);
});
