import { sql } from 'drizzle-orm';
import { withTransaction } from '@/lib/db/transaction';
import { openBulk, workBulk } from '@/lib/queue/bulk';
import { cancelTask } from '@/lib/queue/cancel';
import { rejectTask, setEstimate } from '@/lib/queue/estimate';
import { setPriority } from '@/lib/queue/prioritise';
import { retryTask } from '@/lib/queue/retry-task';
import { writeCeilings } from '@/lib/queue/settings';
import { type AgentChanges, updateAgent } from '@/lib/queue/update-agent';
import { AGENTS } from './lane';
import type { Deeds } from './step';
import type { World } from './world';

const actor = 'user:1';
const at = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;
const agentOf = (a: number) => at(AGENTS, a);
const taskOf = (w: World, a: number) => w.tasks[a % Math.max(1, w.tasks.length)];

/** What can be changed of an agent while it works. */
const CHANGES: readonly AgentChanges[] = [
  { maxConcurrentTasks: 2 },
  { maxConcurrentTasks: 1 },
  { maxTpm: 300 },
  { maxConcurrentTasks: null, maxTpm: null },
  { fair: true, ageingSeconds: null },
  { fair: false, ageingSeconds: 60 },
  { fair: false, ageingSeconds: null },
  { maxTpm: 1000, oversize: 'hold' },
  { oversize: 'run_alone' },
  { maxConcurrentTasks: 0 },
  { maxConcurrentTasks: 3, maxTpm: 500 },
  { maxAttempts: 1, retryBaseSeconds: 0 },
  { maxAttempts: 4, leaseSeconds: 5, maxRunSeconds: 60 },
  { maxTpm: 100, oversize: 'hold', maxConcurrentTasks: null },
  { fair: false, ageingSeconds: 3600 },
  { maxTpm: 1000, maxConcurrentTasks: null, oversize: 'run_alone' },
];

/** What operators and admins do, by the verbs and by hand. */
export const people = {
  async cancel(w, { a }) {
    const taskId = taskOf(w, a);
    if (taskId) await cancelTask(w.db, { taskId, actor });
  },

  async retry(w, { a }) {
    const taskId = taskOf(w, a);
    if (taskId) await retryTask(w.db, { taskId, actor });
  },

  async prioritise(w, { a, b }) {
    const taskId = taskOf(w, a);
    if (taskId) await setPriority(w.db, { taskId, priority: b, actor });
  },

  async openBulk(w, { a, b }) {
    const action = at(['cancel', 'retry', 'reprioritise', 'retry'] as const, b);
    const priority = action === 'reprioritise' ? at([20, 60, 95], b) : null;
    const some = w.tasks.filter((_, place) => (place + a) % 3 > 0);
    await openBulk(w.db, {
      action,
      priority,
      actor,
      tasks: sql`select id from tickmark.tasks where id = any(${sql.param(some)}::uuid[]) order by created_at, id`,
    });
  },

  async workBulk(w, { b }) {
    await workBulk(w.db, { batch: 1 + (b % 4) });
  },

  /** What inspection finds, or what was learnt since. */
  async inspect(w, { a, b }) {
    const taskId = taskOf(w, a);
    if (!taskId) return;
    if (b % 9 === 8) {
      await rejectTask(w.db, { taskId, code: 'corrupt_pdf', message: 'broken', actor: 'inspect' });
    } else {
      await setEstimate(w.db, { taskId, tokens: at([40, 700, 0, Number.NaN], b), seconds: at([5, 200], b) });
    }
  },

  async agent(w, { a, b }) {
    await updateAgent(w.db, { agentId: agentOf(a), changes: at(CHANGES, b), actor });
  },

  async ceilings(w, { b }) {
    const maxConcurrentTasks = at([null, 2, 4, 1, null], b);
    await writeCeilings(w.db, { maxConcurrentTasks, maxTpm: at([null, 1000, null, 250], b) });
  },

  async pause(w, { a, b }) {
    const changes = at([{ paused: true }, { draining: true }, { paused: false }, { paused: false }], b);
    await updateAgent(w.db, { agentId: agentOf(a), changes, actor });
  },

  /** In psql. Most are noticed; one that also writes the attempt is not, and only the sweeper finds what it left. */
  async byHand(w, { a, b }) {
    const taskId = taskOf(w, a);
    if (!taskId) return;
    const status = at(['enqueued', 'processing', 'completed', 'failed', 'cancelled', 'processing'], b);
    const unnoticed = b % 10 === 0;
    await withTransaction(w.db, async (tx) => {
      await tx.execute(sql`select set_config('watch.by_hand', '1', true)`);
      if (unnoticed) {
        await tx.execute(sql`insert into watch.by_hand values (${taskId}::uuid) on conflict do nothing`);
      }
      await tx.execute(sql`
        update tickmark.tasks set status = ${status}::tickmark.task_status
          ${unnoticed ? sql`, current_attempt_id = null` : sql``}
        where id = ${taskId}::uuid`);
    });
  },
} satisfies Partial<Deeds>;
