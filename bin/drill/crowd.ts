import { sql } from 'drizzle-orm';
import { cancelTask } from '@/lib/queue/cancel';
import { type Drill, Findings } from './drill';
import { checkInvariants } from './invariants';
import { until } from './until';
import { CEILING, type World } from './world';

const CROWD = 10_000;

export const urgentBehindCrowd: Drill = {
  name: 'urgent-behind-crowd',
  promise: '10,000 tasks of one client wait, then one urgent task comes: it is the next to be claimed.',
  async run(arena) {
    const findings = new Findings();
    const world = await arena.world();
    await world.submit({ documents: Array(CROWD).fill('work:400'), client: 'Crowd' });
    await world.startWorker();
    await world.startWorker();
    await until('the work to be under way', async () => (await world.countIn('completed')) > 3);
    const [urgent = ''] = await world.submit({ documents: ['work:50'], client: 'Urgent', priority: 90 });
    const claim = await until('the urgent claim', () => findClaim(world, urgent));
    findings.note(`${CROWD.toLocaleString('en')} ahead, claimed after ${Number(claim.seconds).toFixed(1)} s`);
    findings.note(`${claim.passed} others claimed meanwhile (≤ ${CEILING})`);
    findings.expect(claim.passed <= CEILING, `${claim.passed} tasks were claimed before the urgent one`);
    await cancelCrowd(world);
    await checkInvariants(world, findings);
    return findings.done();
  },
};

export const poisonDocument: Drill = {
  name: 'poison-document',
  promise:
    'A document that kills whatever touches it is given up after three lost attempts; all others complete.',
  async run(arena) {
    const findings = new Findings();
    const world = await arena.world();
    await world.startWorker();
    await world.startWorker();
    const [poison] = await world.submit({ documents: ['poison:', ...Array(8).fill('work:100')] });
    const begun = await world.now();
    await checkInvariants(world, findings);
    const tasks = await world.tasks();
    const parked = tasks.find(({ id }) => id === poison);
    const starts = [...(await world.begun()).values()].reduce((sum, times) => sum + times, 0) - 8;
    findings.note(
      `${parked?.status} as ${parked?.error_code} after ${parked?.attempt_count} attempts, ${starts} starts, ${((await world.now()) - begun).toFixed(1)} s`,
    );
    findings.expect(
      parked?.status === 'failed' && parked.error_code === 'run_lost' && parked.attempt_count === 3,
      'the document was not given up as run_lost after 3 attempts',
    );
    const others = tasks.filter(({ id, status }) => id !== poison && status !== 'completed').length;
    findings.expect(others === 0, `${others} other documents were not completed`);
    return findings.done();
  },
};

interface Claim {
  readonly seconds: string;
  /** Other tasks that were claimed after the urgent one had come and before it was claimed. */
  readonly passed: number;
}

async function findClaim(world: World, taskId: string): Promise<Claim | undefined> {
  const [claim] = await world.query<Claim>(
    `select extract(epoch from a.claimed_at - t.created_at) as seconds,
       (select count(*)::integer from tickmark.task_attempts o
        where o.task_id <> t.id and o.claimed_at > t.created_at and o.claimed_at < a.claimed_at) as passed
     from tickmark.tasks t join tickmark.task_attempts a on a.task_id = t.id
     where t.id = $1`,
    [taskId],
  );
  return claim;
}

/** The crowd has served its purpose: each is cancelled as a person would, the waiting ones first. */
async function cancelCrowd(world: World): Promise<void> {
  const { rows } = await world.db.execute<{ id: string }>(sql`
    select t.id from tickmark.tasks t where t.status in ('enqueued', 'processing') order by t.status`);
  const left = rows.map(({ id }) => id);
  const next = async () => {
    for (let taskId = left.pop(); taskId; taskId = left.pop())
      await cancelTask(world.db, { taskId, actor: 'drill' });
  };
  await Promise.all(Array.from({ length: 8 }, next));
}
