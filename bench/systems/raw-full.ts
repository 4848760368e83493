import { RawConsumer, type RawStep } from './raw-consumer';
import { openRawProducer } from './raw-producer';
import { openRawSession, prepared } from './raw-session';
import type { Handle, System, TaskPayload } from './system';

export interface RawFullOptions {
  readonly batch: number;
  readonly connections: number;
  readonly agents?: number;
}

interface Claimed {
  readonly id: string;
  readonly attempt: number;
  readonly payload: TaskPayload;
}

const SCHEMA = /* sql */ `
  create type task_status as enum ('enqueued', 'processing', 'completed', 'failed');
  create table agents (id text primary key, max_in_flight integer not null);
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
  create index tasks_waiting on tasks (agent, priority desc, created_at, id) where status = 'enqueued';
  create index tasks_processing on tasks (agent) where status = 'processing';
  create table attempts (
    task_id bigint not null,
    number integer not null,
    worker text not null,
    claimed_at timestamptz not null default now(),
    finished_at timestamptz,
    primary key (task_id, number)
  );
  create table history (
    id bigint generated always as identity primary key,
    task_id bigint not null,
    at timestamptz not null default clock_timestamp(),
    from_status task_status,
    to_status task_status not null,
    actor text not null
  );
  create index history_by_task on history (task_id, id);
  create function tell() returns trigger language plpgsql as $$
  begin
    perform pg_notify('tasks_new', '');
    return null;
  end $$;
  create trigger tasks_tell after insert or delete or update of status on tasks
  for each statement execute function tell();
  -- Exact: lock the agent, count in the next statement, then claim what is free.
  create function claim(p_agent text, p_worker text, p_limit integer)
  returns table (id bigint, attempt integer, payload jsonb) language plpgsql as $$
  declare
    v_free integer;
  begin
    select max_in_flight into v_free from agents a where a.id = p_agent for update;
    select least(p_limit, v_free - count(*)) into v_free from tasks t where t.agent = p_agent and t.status = 'processing';
    if v_free < 1 then return; end if;
    return query
    with claimed as (
      update tasks t
      set status = 'processing', lease_expires_at = now() + interval '30 seconds', attempt = t.attempt + 1
      where t.id = any (array (
        select w.id from tasks w where w.status = 'enqueued' and w.agent = p_agent
        order by w.priority desc, w.created_at, w.id
        limit v_free
        for update skip locked
      ))
      returning t.id, t.attempt, t.payload
    ),
    tried as (
      insert into attempts (task_id, number, worker) select c.id, c.attempt, p_worker from claimed c
    ),
    noted as (
      insert into history (task_id, from_status, to_status, actor)
      select c.id, 'enqueued', 'processing', p_worker from claimed c
    )
    select c.id, c.attempt, c.payload from claimed c;
  end $$`;

const COMPLETE = /* sql */ `
  with finished as (
    update tasks t set status = 'completed', result = d.result, lease_expires_at = null
    from unnest($1::bigint[], $2::integer[], $3::jsonb[]) as d (id, attempt, result)
    where t.id = d.id and t.attempt = d.attempt and t.status::text = 'processing'
    returning t.id, t.attempt
  ),
  closed as (
    update attempts a set finished_at = now() from finished f where a.task_id = f.id and a.number = f.attempt
  )
  insert into history (task_id, from_status, to_status, actor)
  select id, 'processing', 'completed', 'agent' from finished`;

/**
 * The floor with every feature: hand-written statements for what a product must do as well, with exact limits, attempts
 * that are closed, a row of history per step and a notification per statement. Two round trips a batch.
 */
export function rawFull({ batch, connections, agents = 1 }: RawFullOptions): System {
  return {
    contents: 'empty',
    needsRedis: false,
    async prepare({ databaseUrl }) {
      const client = await openRawSession(databaseUrl);
      await client.query(SCHEMA);
      await client.query(
        `insert into agents select 'agent-' || n, 5000 from generate_series(0, $1::integer - 1) n`,
        [agents],
      );
      await client.end();
    },
    openProducer: (place) => openRawProducer(place, agents),
    async openConsumer(place, handle) {
      let lanes = 0;
      const newLane = () => fullLane({ batch, agents, first: lanes++ }, handle);
      return new RawConsumer(place, { connections, channel: 'tasks_new', newLane });
    },
  };
}

/** Goes round the agents, each lane from another one on. */
function fullLane(
  { batch, agents, first }: { batch: number; agents: number; first: number },
  handle: Handle,
): RawStep {
  const worker = `worker-${process.pid}`;
  let turn = first;
  return async (client) => {
    for (let looked = 0; looked < agents; looked += 1) {
      const agent = `agent-${turn++ % agents}`;
      const claimed = await prepared<Claimed>(client, 'claim', 'select * from claim($1, $2, $3)', [
        agent,
        worker,
        batch,
      ]);
      if (claimed.length === 0) continue;
      await Promise.all(claimed.map(({ payload }) => handle(payload)));
      await prepared(client, 'complete', COMPLETE, [
        claimed.map(({ id }) => id),
        claimed.map(({ attempt }) => attempt),
        claimed.map(() => '{"ok": true}'),
      ]);
      return claimed.length;
    }
    return 0;
  };
}
