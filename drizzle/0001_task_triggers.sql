-- Hot tables: room on each page for HOT updates of leases, and vacuum long before the default fifth is dead.
alter table tickmark.tasks set (
  fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0
);
--> statement-breakpoint
alter table tickmark.task_attempts set (
  fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0
);
--> statement-breakpoint
-- Says that something changed, never what: one empty notification per statement, and none for a lease renewal.
create function tickmark.notify_task_changes() returns trigger language plpgsql as $$
begin
  perform pg_notify('task_changes', '');
  return null;
end $$;
--> statement-breakpoint
create trigger tasks_notify
after insert or delete or update of status on tickmark.tasks
for each statement execute function tickmark.notify_task_changes();
--> statement-breakpoint
-- Keeps a row legal whoever writes it. lib/queue's own statements satisfy the WHEN clause and pay only for its test;
-- what is left is a person's `update tasks set status = …`, work that is not due yet, and work without an estimate. A person who takes a task out
-- of `processing` also takes its attempt out of its live state: `superseded`, so that the sweeper stops its run and its
-- slot counts until then.
create function tickmark.keep_task_legal() returns trigger language plpgsql
set search_path = tickmark, pg_temp as $$
begin
  if new.status in ('completed', 'failed', 'cancelled') then
    new.finished_at := coalesce(new.finished_at, clock_timestamp());
  else
    new.finished_at := null;
  end if;
  if new.document_id is null then
    -- Nobody inspects what is no document: without an estimate it would wait for ever.
    new.estimated_tokens := coalesce(new.estimated_tokens, 0);
  end if;
  if new.status = 'enqueued' then
    new.cancel_requested_at := null;
    if new.parked is null and new.available_at > clock_timestamp() then
      new.parked := 'later';
    end if;
  else
    new.parked := null;
  end if;
  if new.status <> 'processing' and new.current_attempt_id is not null then
    if tg_op = 'UPDATE' then
      update task_attempts
      set status = 'superseded', finished_at = clock_timestamp()
      where id = new.current_attempt_id and status in ('claimed', 'running');
      insert into task_events (task_id, attempt_id, from_status, to_status, actor, reason)
      values (new.id, new.current_attempt_id, old.status, new.status, 'sql:' || session_user, 'changed by hand');
    end if;
    new.current_attempt_id := null;
    new.lease_expires_at := null;
    if new.status = 'enqueued' then
      new.locked_by := null;
    end if;
  end if;
  return new;
end $$;
--> statement-breakpoint
create trigger tasks_keep_legal
before insert or update of status, available_at, finished_at, current_attempt_id on tickmark.tasks
for each row when (
  (new.finished_at is not null) <> (new.status in ('completed', 'failed', 'cancelled'))
  or (new.status <> 'processing' and new.current_attempt_id is not null)
  or (new.status <> 'enqueued' and new.parked is not null)
  or (new.document_id is null and new.estimated_tokens is null)
  or (new.status = 'enqueued' and (
    new.cancel_requested_at is not null or (new.parked is null and new.available_at > clock_timestamp())
  ))
)
execute function tickmark.keep_task_legal();
--> statement-breakpoint
-- What has a history stays until its history goes first. In place of foreign keys, which would cost each claim and each
-- callback a look-up and a row lock per row of history.
create function tickmark.keep_history() returns trigger language plpgsql
set search_path = tickmark, pg_temp as $$
begin
  if tg_table_name = 'tasks' then
    if exists (select from task_attempts a where a.task_id = old.id) or exists (select from task_events e where e.task_id = old.id) then
      raise foreign_key_violation using message = format('task %s has a history: delete its events and attempts first', old.id);
    end if;
  elsif exists (select from callback_deliveries d where d.attempt_id = old.id) then
    raise foreign_key_violation using message = format('attempt %s has deliveries: delete these first', old.id);
  end if;
  return old;
end $$;
--> statement-breakpoint
create trigger tasks_keep_history before delete on tickmark.tasks
for each row execute function tickmark.keep_history();
--> statement-breakpoint
create trigger task_attempts_keep_history before delete on tickmark.task_attempts
for each row execute function tickmark.keep_history();
--> statement-breakpoint
-- A limit is changed under the same lock under which it is counted (see lib/queue/claim.sql), whoever changes it.
create function tickmark.lock_agent_limits() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(1953063787, hashtext(new.id));
  return new;
end $$;
--> statement-breakpoint
create trigger agents_lock_limits
before update of max_concurrent_tasks, max_tpm, paused on tickmark.agents
for each row when (
  (old.max_concurrent_tasks, old.max_tpm, old.paused) is distinct from (new.max_concurrent_tasks, new.max_tpm, new.paused)
)
execute function tickmark.lock_agent_limits();
--> statement-breakpoint
create function tickmark.lock_ceilings() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(1953063786, 0);
  return new;
end $$;
--> statement-breakpoint
create trigger settings_lock_ceilings
before update of max_concurrent_tasks, max_tpm on tickmark.settings
for each row when (
  (old.max_concurrent_tasks, old.max_tpm) is distinct from (new.max_concurrent_tasks, new.max_tpm)
)
execute function tickmark.lock_ceilings();
--> statement-breakpoint
-- What was held for being over a budget is looked at again once a budget or the rule changes.
create function tickmark.release_held_tasks() returns trigger language plpgsql
set search_path = tickmark, pg_temp as $$
begin
  update tasks set parked = null where status = 'enqueued' and parked = 'held';
  return null;
end $$;
--> statement-breakpoint
create trigger agents_release_held
after update of max_tpm, oversize on tickmark.agents
for each row when ((old.max_tpm, old.oversize) is distinct from (new.max_tpm, new.oversize))
execute function tickmark.release_held_tasks();
--> statement-breakpoint
create trigger settings_release_held
after update of max_tpm on tickmark.settings
for each row when (old.max_tpm is distinct from new.max_tpm)
execute function tickmark.release_held_tasks();
--> statement-breakpoint
-- Tokens per minute that a task takes while it runs; one shorter than a minute takes all its tokens within it.
create function tickmark.token_rate(tokens integer, seconds real) returns integer
language sql immutable parallel safe
return ceil(tokens / greatest(1, coalesce(seconds, 0)::float8 / 60))::integer;
--> statement-breakpoint
-- What counts against an agent's token budget at an instant, in tokens per minute: reserved for what is in flight, and
-- used by what ended within the last minute, spread over its run where that was longer. Of an attempt that vanished
-- without a report all that it had reserved is taken as used. `settings.count_recent_tokens` switches the second part
-- off.
create function tickmark.agent_token_use(as_of timestamptz, agent text)
returns table (rate numeric)
language sql stable
begin atomic
  select coalesce(sum(tickmark.token_rate(t.estimated_tokens, t.estimated_seconds)), 0)::numeric
  from tickmark.tasks t
  where t.agent_id = agent and t.status = 'processing'
  union all
  select coalesce(sum(a.reserved_tpm), 0)::numeric
  from tickmark.task_attempts a
  where a.agent_id = agent and a.finished_at is not null and a.run_stopped_at is null and a.status = 'superseded'
  union all
  select coalesce(sum(
      coalesce(
        a.input_tokens + a.output_tokens,
        case when a.status in ('lost', 'cancelled', 'superseded') and a.dispatched_at is not null then a.reserved_tokens else 0 end
      ) * least(1, 60 / greatest(1, extract(epoch from
        greatest(a.finished_at, a.run_stopped_at) - coalesce(a.dispatched_at, a.claimed_at))::float8))
    ), 0)::numeric
  from tickmark.task_attempts a
  where a.agent_id = agent
    and a.finished_at is not null
    and greatest(a.finished_at, a.run_stopped_at) > as_of - interval '60 seconds'
    and not (a.status = 'superseded' and a.run_stopped_at is null)
    and (select s.count_recent_tokens from tickmark.settings s where s.id = 1);
end;
--> statement-breakpoint
-- The same of one agent, or of all (`for_agent` null).
create function tickmark.token_use(as_of timestamptz, for_agent text)
returns table (rate numeric)
language sql stable
begin atomic
  select u.rate
  from tickmark.agents g
  cross join lateral tickmark.agent_token_use(as_of, g.id) u
  where for_agent is null or g.id = for_agent;
end;
