import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { cancelTask, confirmCancelled } from '@/lib/queue/cancel';
import type { ClaimedTask } from '@/lib/queue/claim';
import { retryTask } from '@/lib/queue/retry-task';
import { FakeRunner, QueueWorld } from '@/test/queue-world';
import { readExtraction } from './extraction-detail';

let world: QueueWorld;
beforeAll(async () => {
  world = await QueueWorld.create();
});
afterAll(() => world.close());
beforeEach(() => world.reset());

const KINDS = [
  'claim',
  'succeed',
  'fail',
  'failForGood',
  'cancel',
  'confirm',
  'retry',
  'sweep',
  'byHand',
] as const;

it('B27: after any events in any order an extraction is what its tasks are, and done when all of them are', async () => {
  const step = fc.record({ kind: fc.constantFrom(...KINDS), a: fc.nat(20) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      await world.reset();
      const id = randomUUID();
      await world.db.execute(sql`
        insert into tickmark.extractions (id, name, agent_id, submitted_by) values (${id}::uuid, 'x', 'invoice', 'user:1')`);
      const tasks = await world.enqueue(4, { extractionId: id });
      const attempts: ClaimedTask[] = [];
      for (const { kind, a } of steps) await happen(kind, tasks[a % 4] ?? '', attempts, a);
      await expectSame(id);
      // And an end can be reached from wherever it is.
      for (const taskId of tasks) await cancelTask(world.db, { taskId, actor: 'user:1' });
      await world.expireLeases();
      await world.sweep(new FakeRunner({ state: 'gone' }));
      for (const { attemptId } of attempts) await confirmCancelled(world.db, { attemptId });
      const extraction = await expectSame(id);
      expect(extraction?.progress).toBe(1);
      expect(extraction?.eta).toEqual({ low: null, high: null });
    }),
    { numRuns: 25 },
  );
});

async function happen(
  kind: (typeof KINDS)[number],
  taskId: string,
  attempts: ClaimedTask[],
  a: number,
): Promise<void> {
  const attempt = attempts[a % Math.max(1, attempts.length)];
  if (kind === 'claim') attempts.push(...(await world.claim(1 + (a % 3))));
  else if (kind === 'cancel') await cancelTask(world.db, { taskId, actor: 'user:1' });
  else if (kind === 'retry') await retryTask(world.db, { taskId, actor: 'user:1' });
  else if (kind === 'sweep') {
    await world.expireLeases();
    await world.sweep(new FakeRunner({ state: a % 2 === 0 ? 'gone' : 'alive' }));
  } else if (kind === 'byHand') {
    const status = ['enqueued', 'processing', 'completed', 'cancelled'][a % 4];
    await world.db.execute(
      sql`update tickmark.tasks set status = ${status}::tickmark.task_status where id = ${taskId}::uuid`,
    );
  } else if (attempt) {
    if (kind === 'succeed') await world.succeed(attempt);
    if (kind === 'fail') await world.fail(attempt);
    if (kind === 'failForGood') await world.fail(attempt, { code: 'corrupt_pdf' });
    if (kind === 'confirm') await confirmCancelled(world.db, { attemptId: attempt.attemptId });
  }
}

/** What is shown, against the children themselves. */
async function expectSame(id: string) {
  const { rows } = await world.db.execute<{ status: string }>(
    sql`select status from tickmark.tasks where extraction_id = ${id}::uuid`,
  );
  const counts: Record<string, number> = {
    enqueued: 0,
    processing: 0,
    completed: 0,
    failed: 0,
    cancelled: 0,
  };
  for (const { status } of rows) counts[status] = (counts[status] ?? 0) + 1;
  const extraction = await readExtraction(world.db, id);
  expect(extraction?.counts).toEqual(counts);
  const open = (counts.enqueued ?? 0) + (counts.processing ?? 0);
  expect(extraction?.progress).toBe((rows.length - open) / rows.length);
  return extraction;
}
