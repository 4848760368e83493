import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { QueueWorld } from '@/test/queue-world';
import { until } from '@/test/until';
import { enqueueTasks } from './enqueue';
import { setEstimate } from './estimate';
import { setPriority } from './prioritise';
import { retryTask } from './retry-task';
import { writeCeilings } from './settings';
import { tuneAgents } from './tune-agents';
import { updateAgent } from './update-agent';

let world: QueueWorld;
beforeAll(async () => {
  world = await QueueWorld.create();
});
afterAll(() => world.close());
beforeEach(() => world.reset());

const set = (changes: Parameters<typeof updateAgent>[1]['changes'], agentId = 'invoice') =>
  updateAgent(world.db, { agentId, changes, actor: 'user:test' });

async function extraction(agentId = 'invoice'): Promise<string> {
  const id = randomUUID();
  await world.db.execute(sql`
    insert into tickmark.extractions (id, name, agent_id, submitted_by) values (${id}::uuid, 'x', ${agentId}, 'user:test')`);
  return id;
}

/** Names the extraction of each task that is claimed, in order. */
async function claimedOf(names: Map<string, string>, limit: number, batch = limit): Promise<string> {
  let letters = '';
  while (letters.length < limit) {
    const claimed = await world.claim(Math.min(batch, limit - letters.length));
    if (claimed.length === 0) break;
    for (const task of claimed) letters += names.get(task.taskId) ?? '?';
  }
  return letters;
}

const named = (...groups: [string, string[]][]) =>
  new Map(groups.flatMap(([name, ids]) => ids.map((id) => [id, name] as const)));

describe.each([
  ['as it is', false],
  ['with cursors that move before each claim', true],
])('%s', (_, cursorsMove) => {
  beforeEach(() => {
    world.cursorsMove = cursorsMove;
  });

  describe('turns between extractions (fair)', () => {
    it('B17: one of 5,000 files does not shut out one of 5; off, it is first come first served', async () => {
      const [big, small] = [await extraction(), await extraction()];
      const bigs = await world.enqueue(5000, { extractionId: big });
      const smalls = await world.enqueue(5, { extractionId: small });
      const names = named(['a', bigs], ['b', smalls]);
      expect(await claimedOf(names, 10)).toBe('aaaaaaaaaa');
      await set({ fair: true });
      expect(await claimedOf(names, 14, 3)).toBe('abababababaaaa');
    });

    it('a newcomer neither waits for what others have queued nor goes before all of it', async () => {
      await set({ fair: true });
      const first = await extraction();
      const names = named(['a', await world.enqueue(60, { extractionId: first })]);
      expect(await claimedOf(names, 40)).toBe('a'.repeat(40));
      const second = await world.enqueue(30, { extractionId: await extraction() });
      for (const id of second) names.set(id, 'b');
      expect(await claimedOf(names, 20, 1)).toBe('ab'.repeat(10));
      const third = await world.enqueue(5, { extractionId: await extraction() });
      for (const id of third) names.set(id, 'c');
      expect(await claimedOf(names, 9, 2)).toBe('abcabcabc');
    });

    it('file by file is the same as all at once, also when inspection makes them claimable', async () => {
      await set({ fair: true });
      const [a, b] = [await extraction(), await extraction()];
      const names = new Map<string, string>();
      for (const [name, extractionId, n] of [
        ['a', a, 4],
        ['b', b, 2],
      ] as const) {
        for (let i = 0; i < n; i++) {
          const [id] = await world.enqueue(1, {
            extractionId,
            estimate: undefined,
            documentId: await world.document(),
          });
          if (!id) throw new Error('nothing enqueued');
          await setEstimate(world.db, { taskId: id, tokens: 10, seconds: 1 });
          names.set(id, name);
        }
      }
      expect(await claimedOf(names, 6)).toBe('ababaa');
    });

    it('priority stays strict, and a task that changes its priority is a newcomer there', async () => {
      await set({ fair: true });
      const [a, b] = [await extraction(), await extraction()];
      const as = await world.enqueue(20, { extractionId: a });
      const names = named(['a', as], ['b', await world.enqueue(3, { extractionId: b, priority: 60 })]);
      await setPriority(world.db, { taskId: as[19] as string, priority: 60, actor: 'user:test' });
      expect(await claimedOf(names, 6)).toBe('abbbaa');
    });

    it('a retry does not lose its place, nor set newcomers back by the rounds that it missed', async () => {
      await set({ fair: true });
      const names = named(['a', await world.enqueue(50, { extractionId: await extraction() })]);
      const [early] = await world.claim(1);
      if (!early) throw new Error('nothing claimed');
      await claimedOf(names, 30);
      await world.fail(early);
      await world.makeDue();
      names.set(early.taskId, 'r');
      for (const id of await world.enqueue(10, { extractionId: await extraction() })) names.set(id, 'b');
      expect(await claimedOf(names, 7, 1)).toBe('rababab');
    });

    it("an operator's retry is above bulk, and takes turns there", async () => {
      await set({ fair: true });
      const id = await extraction();
      const failed = await world.claimed({ extractionId: id });
      await world.fail(failed, { code: 'password_required', retryable: false });
      await world.enqueue(5, { extractionId: id });
      await retryTask(world.db, { taskId: failed.taskId, actor: 'user:test' });
      expect((await world.claim(1)).map((task) => task.taskId)).toEqual([failed.taskId]);
    });

    it('turned off again, it is first come first served for what waits already', async () => {
      await set({ fair: true });
      const as = await world.enqueue(6, { extractionId: await extraction() });
      const names = named(['a', as], ['b', await world.enqueue(3, { extractionId: await extraction() })]);
      expect(await claimedOf(names, 2)).toBe('ab');
      await set({ fair: false });
      expect(await claimedOf(names, 7)).toBe('aaaaabb');
    });

    it('agents take turns too where one is fair, under a common ceiling, claim by claim', async () => {
      await set({ fair: true });
      await writeCeilings(world.db, { maxConcurrentTasks: 6, maxTpm: null });
      const names = named(
        ['a', await world.enqueue(40)],
        ['b', await world.enqueue(40, { agentId: 'contract' })],
      );
      expect([...(await claimedOf(names, 6, 1))].sort().join('')).toBe('aaabbb');
    });

    it('holds under a token budget as well', async () => {
      await set({ fair: true, maxTpm: 100_000 });
      const as = await world.enqueue(300, { extractionId: await extraction() });
      const names = named(['a', as], ['b', await world.enqueue(5, { extractionId: await extraction() })]);
      expect(await claimedOf(names, 12, 4)).toBe('ababababab'.concat('aa'));
    });

    it('forgets where an extraction stood once its turns are over', async () => {
      await set({ fair: true });
      const count = async () =>
        (await world.db.execute<{ n: number }>(sql`select count(*)::int as n from tickmark.fair_flows`))
          .rows[0]?.n;
      await world.enqueue(3, { extractionId: await extraction() });
      await tuneAgents(world.db);
      expect(await count()).toBe(1);
      await world.claim(10);
      await tuneAgents(world.db);
      expect(await count()).toBe(0);
    });
  });

  describe('ageing', () => {
    const age = (ids: string[], seconds: number) =>
      world.db.execute(sql`
      update tickmark.tasks set created_at = created_at - make_interval(secs => ${seconds}::float8)
      where id in (select id::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) as x (id))`);

    it('is off by default: no wait lets a task pass a higher priority', async () => {
      const old = await world.enqueue(2, { priority: 10 });
      await age(old, 1_000_000);
      const names = named(['o', old], ['n', await world.enqueue(2, { priority: 11 })]);
      expect(await claimedOf(names, 4)).toBe('nnoo');
    });

    it('on, waiting so long counts as one step of priority, for what waits already too', async () => {
      const old = await world.enqueue(2, { priority: 40 });
      await age(old, 615);
      const older = await world.enqueue(1, { priority: 38 });
      await age(older, 700);
      const names = named(['o', old], ['p', older]);
      for (const id of await world.enqueue(2, { priority: 50 })) names.set(id, 'n');
      for (const id of await world.enqueue(1, { priority: 51 })) names.set(id, 'h');
      await set({ ageingSeconds: 60 });
      expect(await claimedOf(names, 6, 2)).toBe('hoonnp');
      expect(await claimedOf(names, 6)).toBe('');
    });

    it('what comes later, changes its priority or comes back is ordered the same way', async () => {
      await set({ ageingSeconds: 10 });
      const [failing] = [await world.claimed({ priority: 20 })];
      await world.fail(failing);
      await world.makeDue();
      const low = await world.enqueue(1, { priority: 30 });
      const raised = await world.enqueue(1, { priority: 10 });
      await setPriority(world.db, { taskId: raised[0] as string, priority: 35, actor: 'user:test' });
      const names = named(['l', low], ['r', raised], ['f', [failing.taskId]]);
      expect(await claimedOf(names, 3, 1)).toBe('rlf');
    });

    it('between agents the aged priority counts, so a strict one is passed only by what has waited for it', async () => {
      await set({ ageingSeconds: 60 });
      const old = await world.enqueue(1, { priority: 40 });
      const names = named(['s', await world.enqueue(1, { priority: 45, agentId: 'contract' })], ['o', old]);
      expect(await claimedOf(names, 1)).toBe('s');
      const second = await world.enqueue(1, { priority: 45, agentId: 'contract' });
      for (const id of second) names.set(id, 's');
      await age(old, 400);
      await set({ ageingSeconds: 61 });
      expect(await claimedOf(names, 2)).toBe('os');
    });

    it('does not go together with turns', async () => {
      await set({ ageingSeconds: 60 });
      await expect(set({ fair: true })).rejects.toMatchObject({ code: 'bad_request' });
      await set({ fair: true, ageingSeconds: null });
    });
  });

  const ranks = async () => {
    const { rows } = await world.db.execute<{ sign: number }>(
      sql`select sign(claim_rank)::int as sign from tickmark.tasks where status = 'enqueued'`,
    );
    return rows.map(({ sign }) => sign);
  };

  const changes = {
    'by the API': () => set({ ageingSeconds: 60 }),
    'in psql': () =>
      world.db.execute(sql`update tickmark.agents set ageing_seconds = 60 where id = 'invoice'`),
  };

  it.each(Object.entries(changes))(
    'what is enqueued but not committed when the order changes %s gets its rank in the new order, and nobody waits',
    async (_, change) => {
      const task = {
        agentId: 'invoice',
        priority: 50,
        estimate: { tokens: 1, seconds: 1 },
        actor: 'user:test',
      };
      await world.db.transaction(async (tx) => {
        await enqueueTasks(tx, [task, task]);
        await change();
        // Not yet: its enqueuer is still at it, and others who enqueue are not held up for it.
        await tuneAgents(world.db);
        await world.enqueue(1, { agentId: 'invoice' });
      });
      expect((await ranks()).sort()).toEqual([-1, 0, 0]);
      await tuneAgents(world.db);
      expect(await ranks()).toEqual([-1, -1, -1]);
      const { rows } = await world.db.execute(
        sql`select from tickmark.agents where order_changed_at is not null`,
      );
      expect(rows).toEqual([]);
    },
  );

  it('what was in flight when the order changed gets its rank in the new order when it comes back', async () => {
    const run = await world.claimed();
    await set({ ageingSeconds: 60 });
    await world.fail(run);
    await world.makeDue();
    await world.claim(0);
    expect(await world.claim(1, { agentIds: ['contract'] })).toEqual([]);
    expect(await ranks()).toEqual([-1]);
  });

  it('an order that changes while somebody enqueues changes all the same, and nothing is lost', async () => {
    await set({ ageingSeconds: 60 });
    const before = await world.enqueue(1);
    // The change re-ranks what waits, then notes whose turn it is; in between it waits for this test.
    await world.db.execute(sql`
      create function tickmark.wait_for_test() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(43);
        return new;
      end $$`);
    await world.db.execute(sql`
      create trigger wait_for_test before update of claim_rank on tickmark.tasks
      for each row when (new.claim_rank > 0) execute function tickmark.wait_for_test()`);
    try {
      const { changing, meanwhile } = await world.db.transaction(async (tx) => {
        await tx.execute(sql`select pg_advisory_xact_lock(43)`);
        const changing = set({ fair: true, ageingSeconds: null });
        await until('the change to wait', async () => {
          const { rows } = await tx.execute(sql`
            select from pg_locks
            where locktype = 'advisory' and objid = 43 and not granted
              and database = (select oid from pg_database where datname = current_database())`);
          return rows.length > 0;
        });
        const meanwhile = await world.enqueue(1, { extractionId: await extraction() });
        return { changing, meanwhile };
      });
      await changing;
      expect((await world.claim(5)).map((task) => task.taskId).sort()).toEqual(
        [...before, ...meanwhile].sort(),
      );
    } finally {
      await world.db.execute(sql`drop function tickmark.wait_for_test() cascade`);
    }
  });
});
