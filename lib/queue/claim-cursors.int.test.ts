import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { errorCode } from '@/lib/db/connection-loss';
import { priceUsages } from '@/lib/usage/price';
import { QueueWorld } from '@/test/queue-world';
import { until } from '@/test/until';
import { applyCallbacks } from './callback';
import { advanceClaimCursors } from './claim-cursors';
import { setPriority } from './prioritise';
import { snoozeAttempt } from './snooze';
import { updateAgent } from './update-agent';

let world: QueueWorld;
let other: pg.Client;
beforeAll(async () => {
  world = await QueueWorld.create();
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.reset();
  other = new pg.Client({ connectionString: world.url });
  await other.connect();
});
afterEach(() => other.end());

const advance = () => advanceClaimCursors(world.db, 0);
const lanes = async () => {
  const { rows } = await world.db.execute<{ id: string; claim_lane: number }>(
    sql`select id, claim_lane from tickmark.tasks where status = 'enqueued'`,
  );
  return new Map(rows.map(({ id, claim_lane }) => [id, claim_lane]));
};
const cursors = async () => {
  const { rows } = await world.db.execute(
    sql`select from tickmark.claim_cursors where agent_id = 'invoice' and class > -101`,
  );
  return rows.length;
};
const claimedIds = async (limit: number) => (await world.claim(limit)).map(({ taskId }) => taskId);
/** How a task may come to wait: by a person's insert, row by row, or by lib/queue, which looks at the cursors once. */
const WAYS = [
  [
    'inserted by hand',
    `insert into tickmark.tasks (agent_id, estimated_tokens, input) values ('invoice', 1, '{}') returning id`,
  ],
  [
    'enqueued',
    `with new as materialized (select tickmark.new_id() as id)
     select id from new cross join lateral (
       select tickmark.enqueue_tasks_v2(jsonb_build_array(jsonb_build_object(
         'id', id, 'place', 0, 'agent_id', 'invoice', 'priority', 50, 'tokens', 1, 'seconds', 1, 'actor', 'user:1'
       ))) as count
     ) enqueued where count = 1`,
  ],
] as const;

/** Tasks that come, are claimed and complete. */
async function churn(batches: number, priority = 50): Promise<void> {
  for (let n = 0; n < batches; n++) {
    await world.enqueue(200, { priority });
    const claimed = await world.claim(200);
    const deliveries = claimed.map((task) => world.delivery(task, { type: 'attempt.succeeded' }));
    await applyCallbacks(world.db, deliveries, { priceUsages });
  }
}

/** Pages that a claim of 20 touches; the claim is undone. */
async function pagesTouched(): Promise<number> {
  let pages = 0;
  await world.db
    .transaction(async (tx) => {
      const { rows } = await tx.execute<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(sql`
        explain (analyze, buffers, timing off, format json) select * from tickmark.claim_tasks_v3('w1', 20, 15)`);
      const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
      pages = (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
      tx.rollback();
    })
    .catch(() => {});
  return pages;
}

it('B13: with a snapshot held open, a claim touches no more pages for the 6,000 tasks claimed since', async () => {
  await world.db.execute(sql`update tickmark.agents set max_concurrent_tasks = 1000`);
  await churn(15, 70);
  await churn(15);
  await world.db.execute(sql`vacuum tickmark.tasks`);
  await world.enqueue(20);
  await pagesTouched();
  const before = await pagesTouched();
  await other.query('begin isolation level repeatable read; select count(*) from tickmark.tasks');
  await world.claim(20);
  await churn(15, 70);
  await churn(15);
  await world.enqueue(20);
  expect(await pagesTouched()).toBeGreaterThan(3 * before);
  await advanceClaimCursors(world.db, 0.2);
  expect(await pagesTouched()).toBeLessThan(1.5 * before);
});

it('B13: a move that waited for a change of the order begins from where the new order does', async () => {
  for (const [before, after] of [
    ['fair = true', 'fair = false'],
    ['ageing_seconds = 60', 'ageing_seconds = 3600'],
  ]) {
    await world.reset();
    await world.db.execute(sql.raw(`update tickmark.agents set ${before} where id = 'invoice'`));
    await world.enqueue(5, { priority: 70 });
    await world.enqueue(5, { priority: 40 });
    for (let moved = false; !moved; ) {
      await other.query(`begin; update tickmark.agents set ${after} where id = 'invoice'`);
      const move = world.db.execute(sql`select tickmark.advance_claim_cursors('invoice', '0 ms')`).then(
        () => true,
        () => false,
      );
      await until('the move to wait', async () => {
        const { rows } = await other.query(`
          select from pg_locks where locktype = 'advisory' and classid = 1953063789 and not granted
            and database = (select oid from pg_database where datname = current_database())`);
        return rows.length > 0 || (await Promise.race([move.then(() => true), Promise.resolve(false)]));
      });
      await other.query('commit');
      // It waits for a moment only; on a slow machine that may have been too short.
      moved = await move;
      if (!moved) await other.query(`update tickmark.agents set ${before} where id = 'invoice'`);
    }
    expect(await world.claim(20)).toHaveLength(10);
  }
});

it('B13: rows that somebody puts back from an archive are found, whatever lane they had', async () => {
  await world.enqueue(3);
  await world.db.execute(sql`create table tickmark.archive as select * from tickmark.tasks`);
  await world.db.execute(sql`delete from tickmark.task_events`);
  await world.db.execute(sql`delete from tickmark.tasks`);
  await churn(1);
  await advance();
  expect(await cursors()).toBeGreaterThan(0);
  await world.db.execute(sql`insert into tickmark.tasks select * from tickmark.archive`);
  await world.db.execute(sql`drop table tickmark.archive`);
  expect(await world.claim(10)).toHaveLength(3);
});

it('B13: a cursor that has passed waiting tasks, however that came, is taken away', async () => {
  const ids = await world.enqueue(2);
  await world.db.execute(sql`
    insert into tickmark.claim_cursors (agent_id, class, claim_rank, created_at, id, moved_at)
    values ('invoice', -50, 0, now() + interval '1 hour', gen_random_uuid(), now() - interval '2 minutes')`);
  expect(await world.claim(2)).toEqual([]);
  await world.db.execute(sql`select tickmark.advance_claim_cursors('invoice', '1 hour')`);
  expect((await world.claim(2)).map(({ taskId }) => taskId)).toEqual(ids);
});

describe.each(WAYS)('a task that is %s', (_, way) => {
  it('what is being made to wait while a cursor would move is not passed: the move waits for another time', async () => {
    await churn(1);
    await other.query('begin');
    const early = (await other.query(way)).rows[0].id;
    await world.enqueue(1);
    await advance();
    expect(await cursors()).toBe(0);
    await other.query('commit');
    await advance();
    expect(await cursors()).toBeGreaterThan(0);
    expect((await claimedIds(2))[0]).toBe(early);
  });

  it('a task that began before a cursor moved past its place is claimed first, not lost', async () => {
    await churn(1);
    await other.query('begin');
    await other.query('select now()');
    await advance();
    const early = (await other.query(way)).rows[0].id;
    await other.query('commit');
    const [late] = await world.enqueue(1);
    expect(await lanes()).toEqual(
      new Map([
        [early, 0],
        [late, 1],
      ]),
    );
    expect(await claimedIds(2)).toEqual([early, late]);
  });

  it('a transaction whose snapshot is older than a move fails as a conflict, to be run again', async () => {
    await churn(1);
    await other.query('begin isolation level repeatable read');
    await other.query('select count(*) from tickmark.tasks');
    await advance();
    const refused = await other.query(way).catch((error: unknown) => error);
    expect(errorCode(refused)).toBe('40001');
    await other.query('rollback');
    await other.query('begin isolation level repeatable read');
    const { rows } = await other.query(way);
    await other.query('commit');
    expect(await claimedIds(1)).toEqual([rows[0].id]);
  });
});

it('what comes back to a place before the cursor keeps its order: retried, snoozed, parked, older by hand, reprioritised', async () => {
  const [first, second, third, fourth] = await world.enqueue(4);
  const claimed = await world.claim(4);
  await world.enqueue(2);
  await advance();
  const [, failed, snoozed] = claimed;
  if (!failed || !snoozed) throw new Error('not claimed');
  await world.fail(failed, { retryAfterSeconds: 60 });
  await snoozeAttempt(world.db, {
    attemptId: snoozed.attemptId,
    delaySeconds: 60,
    reason: 'full',
    workerId: 'w1',
  });
  await world.makeDue();
  const [old] = await world.enqueue(1);
  await world.db.execute(
    sql`update tickmark.tasks set created_at = created_at - interval '1 day' where id = ${old}`,
  );
  const [lifted] = await world.enqueue(1, { priority: 10 });
  await setPriority(world.db, { taskId: lifted ?? '', priority: 90, actor: 'user:test' });
  const order = await claimedIds(10);
  expect(order.slice(0, 4)).toEqual([lifted, old, second, third]);
  expect(order).toHaveLength(6);
  expect([first, fourth]).not.toContain(order[4]);
});

it('with cursors in several classes, higher priorities still go first', async () => {
  for (const priority of [20, 50, 80]) await churn(1, priority);
  await advance();
  const expected: (string | undefined)[] = [];
  for (const priority of [80, 60, 50, 30, 20, 5]) expected.push(...(await world.enqueue(2, { priority })));
  expect(await claimedIds(12)).toEqual(expected);
});

it('the same with a new order: the cursors of the old one go', async () => {
  await world.enqueue(3);
  await world.claim(1);
  await advance();
  await updateAgent(world.db, { agentId: 'invoice', changes: { ageingSeconds: 60 }, actor: 'user:test' });
  await world.enqueue(1);
  await updateAgent(world.db, { agentId: 'invoice', changes: { ageingSeconds: null }, actor: 'user:test' });
  expect([...(await lanes()).values()]).toEqual([1, 1, 1]);
  expect(await claimedIds(5)).toHaveLength(3);
});

it('a cursor goes once nothing is in the way any more, but not while something waits at a place before it', async () => {
  const retried = await world.claimed();
  await world.enqueue(1);
  await advance();
  await world.fail(retried, { retryAfterSeconds: 0 });
  await world.makeDue();
  await world.db.execute(sql`update tickmark.tasks set parked = null where status = 'enqueued'`);
  const age = () =>
    world.db.execute(sql`update tickmark.claim_cursors set moved_at = now() - interval '1 hour'`);
  const tidy = async () => {
    for (let n = 0; n < 101; n++) await advanceClaimCursors(world.db, 10_000);
    return cursors();
  };
  await age();
  expect(await tidy()).toBe(1);
  expect((await claimedIds(2))[0]).toBe(retried.taskId);
  await age();
  expect(await tidy()).toBe(0);
});

it('an agent whose rows of cursors were deleted by hand is served again after the next turn', async () => {
  await world.enqueue(1);
  await world.db.execute(sql`delete from tickmark.claim_cursors`);
  expect(await claimedIds(1)).toHaveLength(0);
  await advance();
  expect(await claimedIds(1)).toHaveLength(1);
  await world.db.execute(sql`
    insert into tickmark.agents (id, name) values ('new-agent', 'New') on conflict do nothing`);
  await world.enqueue(1, { agentId: 'new-agent' });
  expect(await claimedIds(1)).toHaveLength(1);
});

it('M3: the limit stays exact while the beginning of the count moves', async () => {
  await world.db.execute(sql`update tickmark.agents set max_concurrent_tasks = 7 where id = 'invoice'`);
  await world.enqueue(400);
  let over = 0;
  let done = 0;
  const work = async () => {
    while (done < 400) {
      const claimed = await world.claim(3);
      over = Math.max(over, await world.inFlight());
      for (const task of claimed) await world.succeed(task);
      done += claimed.length;
    }
  };
  const move = async () => {
    while (done < 400) await advance();
  };
  await Promise.all([work(), work(), work(), work(), move(), move()]);
  expect(over).toBeLessThanOrEqual(7);
  expect(await world.inFlight()).toBe(0);
  const { rows } = await world.db.execute(
    sql`select from tickmark.agents where id = 'invoice' and in_flight_since > now() - interval '1 minute'`,
  );
  expect(rows).toHaveLength(1);
});

it.each([
  ['first come first served', sql`fair = false`],
  ['in turns', sql`fair = true`],
  ['with ageing', sql`ageing_seconds = 30`],
])(
  'writers, claims and moves at once, %s: each task is claimed once, none is left, nobody deadlocks',
  async (_, order) => {
    await world.db.execute(sql`update tickmark.agents set ${order}`);
    const made: string[] = [];
    const seen: string[] = [];
    let writing = 4;
    const write = async (n: number) => {
      for (let i = 0; i < 15; i++)
        made.push(...(await world.enqueue(5, { priority: 40 + ((n * i) % 3) * 10 })));
      writing -= 1;
    };
    const work = async () => {
      for (let idle = 0; writing > 0 || idle < 2; ) {
        const claimed = await world.claim(4);
        idle = claimed.length > 0 ? 0 : idle + 1;
        for (const [n, task] of claimed.entries()) {
          if (n === 3 && task.number === 1) {
            await world.fail(task, { retryAfterSeconds: 0 });
            await world.makeDue();
          } else {
            seen.push(task.taskId);
            await world.succeed(task);
          }
        }
      }
    };
    const move = async () => {
      while (writing > 0) await advance();
    };
    await Promise.all([write(1), write(2), write(3), write(4), work(), work(), move(), move()]);
    await world.makeDue();
    await advance();
    await work();
    expect(seen.sort()).toEqual(made.sort());
    const { rows } = await world.db.execute<{ deadlocks: string }>(
      sql`select deadlocks from pg_stat_database where datname = current_database()`,
    );
    expect(Number(rows[0]?.deadlocks)).toBe(0);
  },
);
