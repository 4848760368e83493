import { afterAll, beforeAll, expect, it } from 'vitest';
import { applyCallbacks } from '@/lib/queue/callback';
import { claimTasks } from '@/lib/queue/claim';
import { enqueueTasks } from '@/lib/queue/enqueue';
import { createTestDatabase, type TestDatabase } from '@/test/database';
import { checkAdmissions, readAdmissions } from './admissions';
import { success } from './systems/tickmark';
import { agentId, registerAgents } from './systems/tickmark-agents';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await registerAgents(database.db, { limit: null });
});
afterAll(() => database.close());

it('the bench counts each admission at its commit, and sees one that is over a limit', async () => {
  const { db } = database;
  const task = { agentId: agentId(0), priority: 50, actor: 'test', estimate: { tokens: 40, seconds: 1 } };
  await enqueueTasks(db, Array(5).fill(task));
  await checkAdmissions(db, { tasks: 3, tokensPerMinute: 150 });
  const claim = (limit: number) => claimTasks(db, { workerId: 'w', limit, leaseSeconds: 30 });
  const [first] = await claim(1);
  if (!first) throw new Error('nothing was claimed');
  await claim(2);
  expect(await readAdmissions(db)).toMatchObject({
    claims: 2,
    admitted: 3,
    peakTasks: 3,
    peakRate: 120,
    over: 0,
  });
  // Its place is free; the three and one more are four, and 160 tokens a minute.
  await applyCallbacks(db, [success(first)], { priceUsages: async (_, usages) => usages.map(() => null) });
  await claim(2);
  expect(await readAdmissions(db)).toMatchObject({
    claims: 3,
    admitted: 5,
    peakTasks: 4,
    peakRate: 160,
    over: 1,
  });
});
