import type pg from 'pg';
import { RawConsumer, type RawStep } from './raw-consumer';
import { openRawProducer } from './raw-producer';
import { openRawSession, prepared } from './raw-session';
import type { Handle, System, TaskPayload } from './system';

export interface RawFusedOptions {
  readonly batch: number;
  readonly connections: number;
}

interface Claimed {
  readonly id: string;
  readonly attempt: number;
  readonly payload: TaskPayload;
}

const SCHEMA = /* sql */ `
  create type task_status as enum ('enqueued', 'processing', 'completed', 'failed');
  create table tasks (
    id bigint generated always as identity primary key,
    agent text not null,
    priority integer not null,
    status task_status not null default 'enqueued',
    created_at timestamptz not null default now(),
    lease_expires_at timestamptz,
    attempt integer not null default 0,
    payload jsonb not null,
    result jsonb
  );
  create index tasks_waiting on tasks (priority desc, created_at, id) where status = 'enqueued';
  create table attempts (
    task_id bigint not null,
    number integer not null,
    worker text not null,
    claimed_at timestamptz not null default now(),
    primary key (task_id, number)
  )`;

// The status is compared in a way that no statistics know: right after a fill they say that nothing is in processing,
// and the planner would walk the whole table for each batch.
const STEP = /* sql */ `
  with finished as (
    update tasks t set status = 'completed', result = d.result, lease_expires_at = null
    from unnest($2::bigint[], $3::integer[], $4::jsonb[]) as d (id, attempt, result)
    where t.id = d.id and t.attempt = d.attempt and t.status::text = 'processing'
  ),
  claimed as (
    update tasks set status = 'processing', lease_expires_at = now() + interval '30 seconds', attempt = attempt + 1
    where id = any (array (
      select id from tasks where status = 'enqueued'
      order by priority desc, created_at, id
      limit $5
      for update skip locked
    ))
    returning id, attempt, payload
  ),
  noted as (
    insert into attempts (task_id, number, worker) select id, attempt, $1 from claimed
  )
  select id, attempt, payload from claimed`;

/**
 * The floor: what PostgreSQL can do when one hand-written statement, so one commit, finishes a batch and claims the next.
 * No limits, no history, nobody is told, attempts are noted but not closed.
 */
export function rawFused({ batch, connections }: RawFusedOptions): System {
  return {
    contents: 'empty',
    needsRedis: false,
    async prepare({ databaseUrl }) {
      const client = await openRawSession(databaseUrl);
      await client.query(SCHEMA);
      await client.end();
    },
    openProducer: (place) => openRawProducer(place, 1),
    async openConsumer(place, handle) {
      const newLane = () => fusedLane(batch, handle);
      return new RawConsumer(place, { connections, channel: 'tasks_new', newLane });
    },
  };
}

function fusedLane(batch: number, handle: Handle): RawStep {
  let underWay: Claimed[] = [];
  return async (client: pg.Client) => {
    const claimed = await prepared<Claimed>(client, 'step', STEP, [
      `worker-${process.pid}`,
      underWay.map(({ id }) => id),
      underWay.map(({ attempt }) => attempt),
      underWay.map(() => '{"ok": true}'),
      batch,
    ]);
    await Promise.all(claimed.map(({ payload }) => handle(payload)));
    underWay = claimed;
    return claimed.length;
  };
}
