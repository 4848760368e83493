import type { Concern, Health } from '@/lib/contract/api-health';
import { traceConcerns } from './trace-concerns';

/** All that is known before it is judged. */
export type HealthFacts = Omit<Health, 'concerns'>;

export interface Patience {
  /** How often each worker sweeps. */
  readonly sweepIntervalSeconds: number;
}

/** A sweep that takes long is none that is missing. */
const SWEEPER_LATE_SECONDS = 30;
/** Loops without which work stands still; each looks about once a second. */
const VITAL_LOOPS = ['dispatch', 'inspect', 'keeper'];
const LOOP_STUCK_SECONDS = 120;
/** During a deploy old and new run side by side for a moment. */
const DEPLOY_SECONDS = 300;
/** It connects anew by itself, with growing pauses of at most a quarter of a minute. */
const LISTENER_DOWN_SECONDS = 45;
/** From then on every claim walks over what can't be vacuumed. */
const SNAPSHOT_SECONDS = 300;
const SNAPSHOT_URGENT_SECONDS = 1_800;
const DEAD_ROWS = 100_000;
const DEAD_SHARE = 0.2;
const CONNECTIONS_SHARE = 0.9;
const DISK_SHARE = 0.05;
const DISK_BYTES = 2e9;

/** What of these facts needs a person, most urgent first. Pure. */
export function decideConcerns(facts: HealthFacts, patience: Patience): Concern[] {
  const found = [
    databaseCopy(facts),
    noWorker(facts),
    sweeperOld(facts, patience),
    loopStuck(facts),
    leasesExpired(facts),
    disk(facts),
    connections(facts),
    schemaDiffers(facts),
    versionDiffers(facts),
    listenerDown(facts),
    snapshotHeld(facts),
    deadRows(facts),
    ...traceConcerns(facts),
  ].filter((concern) => concern !== null);
  return [
    ...found.filter(({ urgency }) => urgency === 'now'),
    ...found.filter(({ urgency }) => urgency === 'soon'),
  ];
}

const alive = ({ workers }: HealthFacts) => workers.filter((worker) => worker.alive);

function databaseCopy({ isCopy }: HealthFacts): Concern | null {
  if (!isCopy) return null;
  return {
    code: 'database_copy',
    urgency: 'now',
    title: 'This database is a copy: nothing runs in it',
    advice:
      'It was branched, restored or copied from another one, whose runs it must not touch. To look at it, leave it so. To work with it, say that it is live: `npm run db:adopt`. Attempts that were under way in the original then count as lost here and are done anew.',
  };
}

function noWorker(facts: HealthFacts): Concern | null {
  if (alive(facts).length > 0) return null;
  const [last] = [...facts.workers].sort((a, b) => a.silentSeconds - b.silentSeconds);
  return {
    code: 'no_worker',
    urgency: 'now',
    title: last ? `No worker is running, since ${long(last.silentSeconds)}` : 'No worker is running',
    advice:
      'Nothing is lost: tasks wait, and runs in flight go on. Start one with `npm start`, or `npm run start:worker` beside a running app; if it ends again, its log says why.',
  };
}

function sweeperOld(facts: HealthFacts, { sweepIntervalSeconds }: Patience): Concern | null {
  const late = Math.max(SWEEPER_LATE_SECONDS, 10 * sweepIntervalSeconds);
  if (alive(facts).length === 0) return null;
  const youngest = Math.min(...alive(facts).map(({ startedAt }) => secondsSince(startedAt, facts.at)));
  const age = facts.sweeperAgeSeconds ?? youngest;
  if (age <= late) return null;
  return {
    code: 'sweeper_old',
    urgency: 'now',
    title: `No sweep for ${long(age)}`,
    advice:
      'Work whose run has died is not taken back meanwhile; what runs goes on. Look for `sweeper` in the worker’s log; restarting the worker is safe.',
  };
}

function loopStuck(facts: HealthFacts): Concern | null {
  const stuck = alive(facts).flatMap((worker) =>
    worker.loops
      .filter(({ name, ageSeconds }) => VITAL_LOOPS.includes(name) && ageSeconds > LOOP_STUCK_SECONDS)
      .map((loop) => ({ worker, loop })),
  );
  const [first] = stuck;
  if (!first) return null;
  return {
    code: 'loop_stuck',
    urgency: 'soon',
    title: `The loop “${first.loop.name}” of worker ${first.worker.id} has not run for ${long(first.loop.ageSeconds)}`,
    advice: 'Its log says what it waits for. Restarting that worker is safe: runs in flight go on.',
  };
}

function leasesExpired({ expiredLeases }: HealthFacts): Concern | null {
  if (expiredLeases === 0) return null;
  return {
    code: 'leases_expired',
    urgency: 'now',
    title: `${count(expiredLeases, 'task')} in processing that nobody looks after`,
    advice:
      'Their leases ended more than a minute ago and no worker has asked after them. They are not lost: they go on as soon as a worker sweeps. See that one runs and reaches the database.',
  };
}

function disk({ disk }: HealthFacts): Concern | null {
  if (!disk || disk.freeBytes > Math.min(DISK_BYTES, disk.totalBytes * DISK_SHARE)) return null;
  return {
    code: 'disk',
    urgency: 'now',
    title: `${bytes(disk.freeBytes)} are left on the disk of ${disk.folder}`,
    advice:
      'When it is full, uploads are refused and the database stops; nothing that is stored gets lost. Make room, or move the data folder to a larger disk.',
  };
}

function connections({ database }: HealthFacts): Concern | null {
  if (database.connections < database.maxConnections * CONNECTIONS_SHARE) return null;
  return {
    code: 'connections',
    urgency: 'soon',
    title: `${database.connections} of ${database.maxConnections} database connections are taken`,
    advice:
      'When none is left, processes wait and then fail. Close what is not needed, or raise max_connections.',
  };
}

function schemaDiffers(facts: HealthFacts): Concern | null {
  const { app, database } = facts;
  const behind = alive(facts).find(
    (worker) =>
      worker.schemaVersion !== app.schemaVersion && secondsSince(worker.startedAt, facts.at) > DEPLOY_SECONDS,
  );
  if (database.schemaVersion !== null && database.schemaVersion > app.schemaVersion) {
    return {
      code: 'schema_differs',
      urgency: 'soon',
      title: 'The database has a newer schema than this app',
      advice: 'During a deploy that is in order. Otherwise restart the app in the version of the workers.',
    };
  }
  if (!behind) return null;
  return {
    code: 'schema_differs',
    urgency: 'soon',
    title: `Worker ${behind.id} was built for another schema than this app`,
    advice: 'Restart it in the version of the app. Its runs go on, and another worker takes its claims over.',
  };
}

function versionDiffers(facts: HealthFacts): Concern | null {
  const other = alive(facts).find(
    (worker) =>
      worker.version !== facts.app.version &&
      worker.schemaVersion === facts.app.schemaVersion &&
      secondsSince(worker.startedAt, facts.at) > DEPLOY_SECONDS,
  );
  if (!other) return null;
  return {
    code: 'version_differs',
    urgency: 'soon',
    title: `Worker ${other.id} runs version ${other.version}, this app ${facts.app.version}`,
    advice: 'They work together. Restart the older one when it suits, so that both are the same.',
  };
}

function listenerDown({ app }: HealthFacts): Concern | null {
  if ((app.listenerDownSeconds ?? 0) < LISTENER_DOWN_SECONDS) return null;
  return {
    code: 'listener_down',
    urgency: 'soon',
    title: 'This app hears of no changes',
    advice:
      'Pages still fetch by themselves every few seconds, and say so. It connects again by itself; if it does not, a pooler in between may not pass LISTEN on: connect directly.',
  };
}

function snapshotHeld({ database }: HealthFacts): Concern | null {
  const held = database.oldestSnapshot;
  if (!held || held.ageSeconds < SNAPSHOT_SECONDS) return null;
  const who = [held.application, held.user].filter(Boolean).join(', ') || 'unknown';
  const end =
    held.pid === 0
      ? 'Commit it, or roll it back.'
      : `End it: \`select pg_terminate_backend(${held.pid});\` What it did not commit is undone.`;
  return {
    code: 'snapshot_held',
    urgency: held.ageSeconds >= SNAPSHOT_URGENT_SECONDS ? 'now' : 'soon',
    title: `A transaction has been open for ${long(held.ageSeconds)} (${who})`,
    advice: `Until it ends nothing can be vacuumed, and claiming gets slower. ${end}`,
  };
}

function deadRows({ database }: HealthFacts): Concern | null {
  const over = database.tables.filter(
    ({ liveRows, deadRows }) => deadRows > DEAD_ROWS && deadRows > liveRows * DEAD_SHARE,
  );
  const [worst] = over.sort((a, b) => b.deadRows - a.deadRows);
  if (!worst) return null;
  return {
    code: 'dead_rows',
    urgency: 'soon',
    title: `Table ${worst.name} has ${worst.deadRows.toLocaleString('en-GB')} dead rows`,
    advice: `Autovacuum is behind, or a held snapshot keeps it from its work. When none is held: \`vacuum (analyze) tickmark.${worst.name};\``,
  };
}

function secondsSince(at: string, now: string): number {
  return (Date.parse(now) - Date.parse(at)) / 1000;
}

function long(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 360) / 10} h`;
}

function count(n: number, noun: string): string {
  return n === 1 ? `1 ${noun} is` : `${n.toLocaleString('en-GB')} ${noun}s are`;
}

function bytes(n: number): string {
  return n < 1e9 ? `${Math.round(n / 1e6)} MB` : `${(n / 1e9).toFixed(1)} GB`;
}
