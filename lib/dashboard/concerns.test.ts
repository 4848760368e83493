import { describe, expect, it } from 'vitest';
import type { WorkerHealth } from '@/lib/contract/api-health';
import { decideConcerns, type HealthFacts } from './concerns';

const at = '2026-11-30T12:00:00.000Z';
const loop = (name: string, ageSeconds: number) => ({ name, ageSeconds, tookMs: 4, runs: 9, failures: 0 });
const worker = (over: Partial<WorkerHealth> = {}): WorkerHealth => ({
  id: 'w1',
  host: 'h',
  pid: 1,
  version: '1.0.0',
  schemaVersion: 7,
  alive: true,
  startedAt: '2026-11-30T10:00:00.000Z',
  heartbeatAt: at,
  silentSeconds: 1,
  loops: [loop('dispatch', 1), loop('sweeper', 1)],
  ...over,
});
const table = { name: 'tasks', liveRows: 1e6, deadRows: 10, totalBytes: 1, indexBytes: 1, vacuumedAt: null };
const snapshot = {
  pid: 42,
  application: 'psql',
  user: 'somebody',
  state: 'idle in transaction',
  ageSeconds: 3,
};
const well: HealthFacts = {
  at,
  app: {
    version: '1.0.0',
    schemaVersion: 7,
    listener: 'live',
    listenerDownSeconds: null,
    streams: 2,
    pool: { total: 1, idle: 1, waiting: 0, max: 10 },
  },
  isCopy: false,
  workers: [worker()],
  sweeperAgeSeconds: 1,
  expiredLeases: 0,
  database: {
    version: '18.4',
    schemaVersion: 7,
    sizeBytes: 1e9,
    connections: 12,
    maxConnections: 100,
    oldestSnapshot: snapshot,
    tables: [table],
  },
  traces: { waiting: 3, differLastDay: 0, missingLastDay: 0, error: null },
  disk: { folder: '/data', freeBytes: 5e10, totalBytes: 1e11 },
};
const codes = (over: Partial<HealthFacts>) =>
  decideConcerns({ ...well, ...over }, { sweepIntervalSeconds: 1 }).map(
    ({ code, urgency }) => `${code} ${urgency}`,
  );
const traces = (over: Partial<NonNullable<HealthFacts['traces']>>) => ({
  traces: { waiting: 3, differLastDay: 0, missingLastDay: 0, error: null, ...over },
});
const database = (over: Partial<HealthFacts['database']>) => ({ database: { ...well.database, ...over } });

describe('what needs a person', () => {
  it('is nothing while all is well, also with a worker that has left', () => {
    expect(codes({})).toEqual([]);
    expect(codes({ workers: [worker(), worker({ id: 'w0', alive: false, silentSeconds: 4000 })] })).toEqual(
      [],
    );
  });

  it.each<[string, Partial<HealthFacts>, string[]]>([
    ['no worker', { workers: [], sweeperAgeSeconds: null }, ['no_worker now']],
    ['a silent worker', { workers: [worker({ alive: false })], sweeperAgeSeconds: null }, ['no_worker now']],
    ['no sweep for long', { sweeperAgeSeconds: 31 }, ['sweeper_old now']],
    ['no sweep ever', { sweeperAgeSeconds: null }, ['sweeper_old now']],
    ['a loop that stands', { workers: [worker({ loops: [loop('dispatch', 121)] })] }, ['loop_stuck soon']],
    ['traces that can’t be read', traces({ error: 'It is away.' }), ['traces_unreadable soon']],
    ['traces that never came', traces({ missingLastDay: 2 }), ['traces_missing soon']],
    ['M14: reports that differ from traces', traces({ differLastDay: 1 }), ['traces_differ soon']],
    ['no traces at all', { traces: null }, []],
    ['leases nobody asks about', { expiredLeases: 3 }, ['leases_expired now']],
    ['a worker for another schema', { workers: [worker({ schemaVersion: 6 })] }, ['schema_differs soon']],
    ['a worker that tells none', { workers: [worker({ schemaVersion: null })] }, ['schema_differs soon']],
    ['a newer database', database({ schemaVersion: 8 }), ['schema_differs soon']],
    ['a worker of another version', { workers: [worker({ version: '0.9.0' })] }, ['version_differs soon']],
    [
      'no listener',
      { app: { ...well.app, listener: 'down', listenerDownSeconds: 60 } },
      ['listener_down soon'],
    ],
    [
      'a held snapshot',
      database({ oldestSnapshot: { ...snapshot, ageSeconds: 301 } }),
      ['snapshot_held soon'],
    ],
    [
      'a snapshot held for long',
      database({ oldestSnapshot: { ...snapshot, ageSeconds: 1801 } }),
      ['snapshot_held now'],
    ],
    ['many dead rows', database({ tables: [{ ...table, deadRows: 200_001 }] }), ['dead_rows soon']],
    ['few connections left', database({ connections: 90 }), ['connections soon']],
    ['a disk that is full', { disk: { folder: '/data', freeBytes: 1e9, totalBytes: 1e11 } }, ['disk now']],
  ])('%s', (_, facts, expected) => {
    expect(codes(facts)).toEqual(expected);
  });

  it('is not yet what a deploy brings for a moment, nor what a start has not done yet', () => {
    const startedAt = '2026-11-30T11:59:40.000Z';
    expect(codes({ workers: [worker({ startedAt, version: '2', schemaVersion: 8 })] })).toEqual([]);
    expect(codes({ workers: [worker({ startedAt, loops: [] })], sweeperAgeSeconds: null })).toEqual([]);
  });

  it('is not dead rows that are few beside the living', () => {
    expect(codes(database({ tables: [{ ...table, liveRows: 5e6, deadRows: 200_001 }] }))).toEqual([]);
  });

  it('comes with the most urgent first, and each says what to do', () => {
    const all = decideConcerns(
      {
        ...well,
        ...database({ oldestSnapshot: { ...snapshot, ageSeconds: 400 } }),
        workers: [],
        app: { ...well.app, listener: 'down', listenerDownSeconds: 60 },
      },
      { sweepIntervalSeconds: 1 },
    );
    expect(all.map(({ code }) => code)).toEqual(['no_worker', 'listener_down', 'snapshot_held']);
    expect(all.at(-1)).toMatchObject({
      title: 'A transaction has been open for 7 min (psql, somebody)',
      advice: expect.stringContaining('select pg_terminate_backend(42)'),
    });
    for (const { title, advice } of all) expect(`${title} ${advice}`).not.toMatch(/undefined|NaN|!/);
  });
});
