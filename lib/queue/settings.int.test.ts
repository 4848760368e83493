import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { QueueWorld } from '@/test/queue-world';
import { claimSecretFingerprint, readSettings, writeCeilings } from './settings';
import { updateAgent } from './update-agent';

let world: QueueWorld;
beforeAll(async () => {
  world = await QueueWorld.create();
});
afterAll(() => world.close());
beforeEach(() => world.reset());

describe('settings', () => {
  it('M8: hold the ceilings; unset is none', async () => {
    await writeCeilings(world.db, { maxConcurrentTasks: 2, maxTpm: 5000 });
    expect(await readSettings(world.db)).toMatchObject({ maxConcurrentTasks: 2, maxTpm: 5000 });
    await writeCeilings(world.db, { maxConcurrentTasks: null, maxTpm: null });
    expect(await readSettings(world.db)).toMatchObject({ maxConcurrentTasks: null, maxTpm: null });
  });

  it('remember whose secret signs the runs, and refuse another', async () => {
    expect(await claimSecretFingerprint(world.db, 'aaaa')).toBe(true);
    expect(await claimSecretFingerprint(world.db, 'aaaa')).toBe(true);
    expect(await claimSecretFingerprint(world.db, 'bbbb')).toBe(false);
    expect((await readSettings(world.db)).secretFingerprint).toBe('aaaa');
  });

  it('say so when the database was never set up', async () => {
    await world.db
      .transaction(async (tx) => {
        await tx.execute(sql`delete from tickmark.settings`);
        await expect(readSettings(tx)).rejects.toMatchObject({ code: 'unavailable' });
        tx.rollback();
      })
      .catch(() => {});
    expect((await readSettings(world.db)).environmentId).toMatch(/^[0-9a-f]{12}$/);
  });
});

describe('updateAgent', () => {
  it('changes what is given, keeps the rest, and notes who changed what from what', async () => {
    await updateAgent(world.db, {
      agentId: 'invoice',
      changes: { maxConcurrentTasks: 3, paused: true },
      actor: 'user:1',
    });
    await updateAgent(world.db, {
      agentId: 'invoice',
      changes: { maxConcurrentTasks: null, paused: true },
      actor: 'user:2',
    });
    const { rows } = await world.db.execute(
      sql`select max_concurrent_tasks, paused, max_attempts from tickmark.agents where id = 'invoice'`,
    );
    expect(rows).toEqual([{ max_concurrent_tasks: null, paused: true, max_attempts: 3 }]);
    const log = await world.db.execute(
      sql`select actor, details from tickmark.audit_log where subject = 'agent:invoice' order by at`,
    );
    expect(log.rows).toEqual([
      {
        actor: 'user:1',
        details: { maxConcurrentTasks: { from: null, to: 3 }, paused: { from: false, to: true } },
      },
      { actor: 'user:2', details: { maxConcurrentTasks: { from: 3, to: null } } },
    ]);
  });

  it('refuses what the database refuses, and an unknown agent', async () => {
    const change = (agentId: string, maxAttempts: number) =>
      updateAgent(world.db, { agentId, changes: { maxAttempts }, actor: 'user:1' });
    await expect(change('invoice', 0)).rejects.toThrow();
    await expect(change('nobody', 3)).rejects.toMatchObject({ code: 'not_found' });
  });
});
