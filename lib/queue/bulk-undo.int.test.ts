import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { withTransaction } from '@/lib/db/transaction';
import { QueueWorld } from '@/test/queue-world';
import { openBulk, workBulk } from './bulk';
import { cancelTask } from './cancel';
import { openUndo } from './open-undo';
import { retryTask } from './retry-task';

let world: QueueWorld;
beforeAll(async () => {
  world = await QueueWorld.create();
});
afterAll(() => world.close());
beforeEach(() => world.reset());

const actor = 'user:1';
const work = async () => {
  while ((await workBulk(world.db)) === 'worked');
};

it('B29: undoing a bulk cancel reopens what is as it left it, not what was dealt with anew since', async () => {
  const [untouched, again, failed] = (await world.enqueue(3)) as [string, string, string];
  const tasks = sql`select id from tickmark.tasks where status = 'enqueued'`;
  const { id: operationId } = await openBulk(world.db, { action: 'cancel', priority: null, actor, tasks });
  await work();
  await retryTask(world.db, { taskId: again, actor });
  await cancelTask(world.db, { taskId: again, actor });
  await retryTask(world.db, { taskId: failed, actor });
  const [run] = await world.claim(1);
  if (!run) throw new Error('nothing was claimed');
  await world.fail(run, { code: 'corrupt_pdf', retryable: false });
  await withTransaction(world.db, (tx) => openUndo(tx, { operationId, actor }));
  await work();
  const statuses = await Promise.all(
    [untouched, again, failed].map(async (id) => (await world.task(id)).status),
  );
  expect(statuses).toEqual(['enqueued', 'cancelled', 'failed']);
});
