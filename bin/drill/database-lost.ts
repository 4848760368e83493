import { setTimeout as delay } from 'node:timers/promises';
import { type Drill, Findings } from './drill';
import { checkInvariants } from './invariants';
import { until } from './until';
import type { World } from './world';

export const postgresRestarted: Drill = {
  name: 'postgres-restarted',
  promise:
    'PostgreSQL stops and crashes in the middle of the work: all goes on when it is back, nothing is lost.',
  async run(arena) {
    const findings = new Findings();
    const world = await underLoad(await arena.world());
    for (const how of ['stop', 'crash'] as const) {
      await arena.restartServer(how);
      const since = await untilBack(world);
      findings.within(`after a ${how} work goes on after`, await secondsUntilClaim(world, since), 10);
    }
    await checkInvariants(world, findings);
    return findings.done();
  },
};

export const sessionsTerminated: Drill = {
  name: 'sessions-terminated',
  promise:
    'All database sessions are ended again and again under load: nothing is lost and nothing done twice.',
  async run(arena) {
    const findings = new Findings();
    const world = await underLoad(await arena.world());
    let ended = 0;
    let since = 0;
    for (let n = 0; n < 5; n += 1) {
      await delay(1_500);
      ended += await arena.terminateSessions(world);
      since = await untilBack(world);
    }
    findings.note(`${ended} sessions ended in 5 strokes`);
    findings.within('work goes on after', await secondsUntilClaim(world, since), 10);
    await checkInvariants(world, findings);
    return findings.done();
  },
};

/** Two workers, and work for some time. */
async function underLoad(world: World): Promise<World> {
  await world.startWorker();
  await world.startWorker();
  await world.submit({ documents: Array(45).fill('work:150') });
  await until('the work to be under way', async () => (await world.countIn('completed')) > 2);
  return world;
}

/** The database's clock when it answers again. */
function untilBack(world: World): Promise<number> {
  return until('the database to answer', () => world.now().catch(() => null));
}

async function secondsUntilClaim(world: World, since: number): Promise<number> {
  const at = await until('the next claim', async () => {
    const [attempt] = await world
      .query<{ at: string | null }>(
        'select extract(epoch from min(claimed_at)) as at from tickmark.task_attempts where claimed_at > to_timestamp($1)',
        [since],
      )
      .catch(() => []);
    return attempt?.at;
  });
  return Number(at) - since;
}
