import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TASK_STATUSES } from '@/lib/contract/api';
import { FakeRunner, QueueWorld } from '@/test/queue-world';

let world: QueueWorld;
beforeAll(async () => {
  world = await QueueWorld.create();
});
afterAll(() => world.close());
beforeEach(() => world.reset());

/** What somebody types into psql. */
const psql = (statement: string) => world.db.execute(sql.raw(statement));

describe('a status changed by hand in psql', () => {
  for (const from of TASK_STATUSES) {
    for (const to of TASK_STATUSES) {
      it(`${from} to ${to}: is legal, and finished_at and the attempt follow`, async () => {
        const run = from === 'enqueued' ? null : await world.running();
        const taskId = run?.taskId ?? ((await world.enqueue(1))[0] as string);
        if (run && from === 'completed') await world.succeed(run);
        if (run && from === 'failed') await world.fail(run, { code: 'corrupt_pdf', retryable: false });
        if (run && from === 'cancelled')
          await psql(`update tasks set status = 'cancelled' where id = '${taskId}'`);
        await psql(`update tasks set status = '${to}' where id = '${taskId}'`);
        const task = await world.task(taskId);
        expect(task.status).toBe(to);
        const told = (await world.story(taskId)).filter((line) => line === `${from}>${to} sql`);
        // One event for one change, none for none (`cancelled` was set by hand above, from `processing`).
        expect(told).toHaveLength(from === to ? 0 : 1);
        expect(task.finished_at !== null).toBe(['completed', 'failed', 'cancelled'].includes(to));
        if (to !== 'processing') expect(task.current_attempt_id).toBeNull();
        const live = (await world.attempts(taskId)).filter((attempt) =>
          ['claimed', 'running'].includes(attempt.status),
        );
        expect(live).toHaveLength(from === 'processing' && to === 'processing' ? 1 : 0);
        // Whatever it was, a waiting task can be claimed.
        if (to === 'enqueued') expect(await world.claim(1)).toMatchObject([{ taskId }]);
      });
    }
  }

  it('takes the live attempt out of its live state, tells the story, and the old run is fenced', async () => {
    const run = await world.running();
    await psql(
      `update tasks set status = 'enqueued', locked_by = null, lease_expires_at = null where id = '${run.taskId}'`,
    );
    expect(await world.attempt(run.attemptId)).toMatchObject({ status: 'superseded', run_stopped_at: null });
    expect((await world.story(run.taskId)).at(-1)).toBe('processing>enqueued sql');
    const [again] = await world.claim(1);
    expect(again).toMatchObject({ taskId: run.taskId, number: 2 });
    expect(await world.fail(run)).toEqual({ outcome: 'recorded', stop: true });
    expect((await world.task(run.taskId)).status).toBe('processing');
  });

  it('there and back: a task that was put in processing by hand has no gap in its history', async () => {
    const [id] = await world.enqueue(1);
    await psql(`update tasks set status = 'processing' where id = '${id}'`);
    expect((await world.task(id as string)).locked_by).toMatch(/^sql:/);
    await psql(`update tasks set status = 'enqueued' where id = '${id}'`);
    expect((await world.task(id as string)).locked_by).toBeNull();
    await psql(`update tasks set status = 'processing' where id = '${id}'`);
    await world.expireLeases();
    await world.sweep(new FakeRunner());
    expect(await world.story(id as string)).toEqual([
      '>enqueued user',
      'enqueued>processing sql',
      'processing>enqueued sql',
      'enqueued>processing sql',
      'processing>enqueued sweeper',
    ]);
  });

  it('rows inserted by plain SQL are work like any other', async () => {
    await psql(`insert into tasks (agent_id, estimated_tokens) values ('invoice', 10)`);
    await psql(
      `insert into tasks (agent_id, estimated_tokens, available_at) values ('invoice', 10, now() + interval '1 day')`,
    );
    await psql(`insert into tasks (agent_id, status) values ('invoice', 'completed')`);
    expect(await world.claim(10)).toHaveLength(1);
    const { rows } = await world.db.execute(sql`
      select status::text, parked, finished_at is not null as over from tickmark.tasks order by status::text`);
    expect(rows).toEqual([
      { status: 'completed', parked: null, over: true },
      { status: 'enqueued', parked: 'later', over: false },
      { status: 'processing', parked: null, over: false },
    ]);
  });

  it('a waiting task whose time is moved forward or back by hand follows', async () => {
    const [id] = await world.enqueue(1);
    await psql(`update tasks set available_at = now() + interval '1 hour' where id = '${id}'`);
    expect((await world.task(id as string)).parked).toBe('later');
    await psql(`update tasks set available_at = now() where id = '${id}'`);
    expect(await world.claim(1)).toHaveLength(1);
  });

  it('what no status may have is refused by the database itself', async () => {
    const run = await world.running();
    await expect(
      psql(
        `insert into task_attempts (task_id, agent_id, number, claimed_by) values ('${run.taskId}', 'invoice', 2, 'x')`,
      ),
    ).rejects.toThrow();
    await expect(
      psql(
        `insert into task_attempts (task_id, agent_id, number, claimed_by, status, finished_at) values ('${run.taskId}', 'invoice', 1, 'x', 'lost', now())`,
      ),
    ).rejects.toThrow();
    await expect(
      psql(`update task_attempts set status = 'lost' where id = '${run.attemptId}'`),
    ).rejects.toThrow();
    await expect(psql(`update tasks set priority = 101`)).rejects.toThrow();
  });
});

describe('M22: task_changes', () => {
  it('B12: is notified once per statement that changes a status, with an empty payload, and not by a lease renewal', async () => {
    const client = new pg.Client({ connectionString: world.url });
    await client.connect();
    const payloads: (string | undefined)[] = [];
    client.on('notification', (message) => payloads.push(message.payload));
    await client.query('listen task_changes');
    const heard = async (act: () => Promise<unknown>) => {
      payloads.length = 0;
      await act();
      // A notification of an earlier commit is delivered before the answer to a later query.
      await client.query('select 1');
      return [...payloads];
    };
    expect(await heard(() => world.enqueue(50))).toEqual(['']);
    expect(await heard(() => world.claim(50))).toEqual(['']);
    expect(await heard(() => world.claim(50))).toEqual([]);
    expect(await heard(() => world.expireLeases())).toEqual([]);
    expect(await heard(() => psql(`update tasks set status = 'completed'`))).toEqual(['']);
    expect(await heard(() => psql(`update tasks set confidence = 1`))).toEqual([]);
    await client.end();
  });
});

describe('a value set by hand that would break others', () => {
  it.each([
    ['attempt_count', '2147483647'],
    ['max_attempts', '2147483647'],
    ['last_attempt_number', '2147483647'],
    ['estimated_seconds', `'NaN'`],
    ['estimated_seconds', `'infinity'`],
    ['created_at', `'infinity'`],
    ['created_at', `'294276-01-01'`],
    ['available_at', `'infinity'`],
    ['lease_expires_at', `'infinity'`],
  ])('%s = %s is refused: one such row would stop every claim or list', async (column, value) => {
    const set = psql(`insert into tasks (agent_id, ${column}) values ('invoice', ${value})`);
    await expect(set).rejects.toThrow();
    await world.enqueue(1);
    expect(await world.claim(1)).toHaveLength(1);
  });
});

describe('view results', () => {
  it('shows completed tasks, and a report needs a grant on it alone', async () => {
    const run = await world.running();
    await world.succeed(run);
    await world.running();
    const reader = `reader_${run.taskId.replaceAll('-', '').slice(20)}`;
    await psql(`create role ${reader}`);
    await psql(`grant ${reader} to current_user with set true`);
    await psql(`grant usage on schema tickmark to ${reader}`);
    await psql(`grant select on results to ${reader}`);
    await world.db.transaction(async (tx) => {
      await tx.execute(sql.raw(`set local role ${reader}`));
      const { rows } = await tx.execute(sql`select task_id from tickmark.results`);
      expect(rows).toEqual([{ task_id: run.taskId }]);
    });
    const peek = world.db.transaction(async (tx) => {
      await tx.execute(sql.raw(`set local role ${reader}`));
      await tx.execute(sql`select * from tickmark.tasks`);
    });
    await expect(peek).rejects.toThrow();
    await psql(`drop owned by ${reader}`);
    await psql(`drop role ${reader}`);
  });

  it('what has a history is not deleted before its history', async () => {
    const { taskId } = await world.claimed();
    const refused = { cause: { code: '23503' } };
    const task = sql`delete from tickmark.tasks where id = ${taskId}::uuid`;
    await expect(world.db.execute(task)).rejects.toMatchObject(refused);
    await world.db.execute(sql`delete from tickmark.task_events where task_id = ${taskId}::uuid`);
    await expect(world.db.execute(task)).rejects.toMatchObject(refused);
    await world.db.execute(sql`delete from tickmark.task_attempts where task_id = ${taskId}::uuid`);
    await world.db.execute(task);
    await expect(world.task(taskId)).rejects.toThrow('no task');
  });
});
