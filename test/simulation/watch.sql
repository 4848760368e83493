-- What a simulation sets beside the queue to see more than rows that are left: what was true at each admission, in the
-- claiming transaction itself, and what an update replaced. Product code knows nothing of it. The figures are computed
-- anew from the rows, not with the product's own functions.
create schema watch;
-- `kind`: when it counts. always; exact: only claims were under way; lone: one claim was under way and nothing else.
create table watch.breaches (kind text not null, what text not null);
-- Lowered limits and pauses that were replaced since the last look: a claim under way may still have seen them.
create table watch.replaced (agent_id text not null, tasks integer, tpm integer, cooling_until timestamptz);
-- Attempts whose run turned out to be alive since the last look: a claim under way may have counted without them.
create table watch.late (attempt_id uuid primary key);
-- Tasks that a person changed so that nobody could notice (status and attempt at once).
create table watch.by_hand (task_id uuid primary key);

create function watch.rate(p_tokens integer, p_seconds real) returns numeric language sql immutable as $$
  select ceil(p_tokens / greatest(1, coalesce(p_seconds, 0)::float8 / 60))::numeric
$$;

-- What counts against an agent's limits at an instant. orphan_*: the part that no claim let in, as a person set it to
-- `processing` or as its run turned out to be alive.
create function watch.use_of(
  p_agent text, p_at timestamptz,
  out in_flight bigint, out orphans bigint, out reserved numeric, out orphan_reserved numeric, out recent numeric
) language sql stable set search_path = tickmark, pg_temp as $$
  select
    t.n + s.n, t.orphans + s.late, t.rate + s.rate, t.orphan_rate + s.late_rate,
    (
      select coalesce(sum(
        coalesce(a.input_tokens + a.output_tokens,
          case when a.status in ('lost', 'cancelled', 'superseded') and a.dispatched_at is not null then a.reserved_tokens else 0 end)
        * least(1, 60 / greatest(1, extract(epoch from greatest(a.finished_at, a.run_stopped_at)
            - coalesce(a.dispatched_at, a.claimed_at))::float8))), 0)::numeric
      from task_attempts a
      where a.agent_id = p_agent and a.finished_at is not null and (a.status <> 'superseded' or a.run_stopped_at is not null)
        and greatest(a.finished_at, a.run_stopped_at) > p_at - interval '60 seconds'
    )
  from (
    select count(*) as n, count(*) filter (where current_attempt_id is null) as orphans,
      coalesce(sum(watch.rate(estimated_tokens, estimated_seconds)), 0) as rate,
      coalesce(sum(watch.rate(estimated_tokens, estimated_seconds)) filter (where current_attempt_id is null), 0) as orphan_rate
    from tasks where agent_id = p_agent and status = 'processing'
  ) t, (
    select count(*) as n, coalesce(sum(a.reserved_tpm), 0) as rate, count(l.attempt_id) as late,
      coalesce(sum(a.reserved_tpm) filter (where l.attempt_id is not null), 0) as late_rate
    from task_attempts a left join watch.late l on l.attempt_id = a.id
    where a.agent_id = p_agent and a.status = 'superseded' and a.run_stopped_at is null
  ) s
$$;

-- Agents with what is used, and the highest limits that a claim under way may have seen.
create view watch.agent as
select a.id, a.paused, a.fair, a.ageing_seconds, a.oversize, a.cooling_until, a.max_tpm as own_tpm, r.min_cooling,
  least(a.max_concurrent_tasks, case when not r.any_tasks then greatest(a.lowered_concurrent_tasks, r.tasks) end) as max_tasks,
  least(a.max_tpm, case when not r.any_tpm then greatest(a.lowered_tpm, r.tpm) end) as max_tpm
from tickmark.agents a
cross join lateral (
  select max(tasks) as tasks, max(tpm) as tpm, min(coalesce(cooling_until, '-infinity')) as min_cooling,
    a.lowered_concurrent_tasks is null or coalesce(bool_or(tasks is null), false) as any_tasks,
    a.lowered_tpm is null or coalesce(bool_or(tpm is null), false) as any_tpm
  from watch.replaced where agent_id = a.id
) r;

-- At the end of the claim's own statement: what it admitted is in the count, what others did meanwhile only makes it less.
create function watch.see_admission() returns trigger language plpgsql set search_path = tickmark, pg_temp as $$
declare
  v_at timestamptz;
begin
  select max(x.claimed_at) into v_at
  from new_rows n join old_rows o on o.id = n.id join task_attempts x on x.id = n.current_attempt_id
  where o.status = 'enqueued' and n.status = 'processing';
  if v_at is null then
    return null;
  end if;
  insert into watch.breaches
  with admitted as materialized (
    select n.*, o.available_at as was_due, watch.rate(n.estimated_tokens, n.estimated_seconds) as rate
    from new_rows n join old_rows o on o.id = n.id
    where o.status = 'enqueued' and n.status = 'processing' and n.current_attempt_id is not null
  ),
  agent as materialized (
    select a.*, u.*, exists (select from admitted n where n.agent_id = a.id) as admits
    from watch.agent a cross join lateral watch.use_of(a.id, v_at) u
  ),
  budget as materialized (
    select id as whose, max_tasks, max_tpm, in_flight, orphans, reserved, orphan_reserved, recent from agent where admits
    union all
    select 'all agents', s.max_concurrent_tasks, s.max_tpm, u.* from settings s,
      (select sum(in_flight), sum(orphans), sum(reserved), sum(orphan_reserved), sum(recent) from agent) u
  ),
  waiting as materialized (
    select w.*, watch.rate(w.estimated_tokens, w.estimated_seconds) as rate
    from tasks w
    where w.status = 'enqueued' and w.estimated_tokens is not null and w.parked is null and w.available_at <= v_at
      and not exists (select from watch.by_hand h where h.task_id = w.id)
  ),
  passed as (
    -- In the order of the claim before one that was admitted, and left waiting.
    select w.*, c.id as by_id, c.agent_id = w.agent_id as own
    from admitted c join agent ca on ca.id = c.agent_id
    join waiting w on true join agent wa on wa.id = w.agent_id
    where case
      when c.agent_id = w.agent_id and ca.fair then w.priority > c.priority
      when c.agent_id = w.agent_id and ca.ageing_seconds is null
        then (w.priority, c.created_at, c.id) > (c.priority, w.created_at, w.id)
      when c.agent_id = w.agent_id
        then extract(epoch from w.created_at) - w.priority * ca.ageing_seconds
          < extract(epoch from c.created_at) - c.priority * ca.ageing_seconds - 0.002
      when exists (select from agent where fair) then false
      else w.priority + coalesce(extract(epoch from v_at - w.created_at) / wa.ageing_seconds, 0)
        > c.priority + coalesce(extract(epoch from v_at - c.created_at) / ca.ageing_seconds, 0) + 0.001
    end
  )
  select 'always', format('invariant 4: %s in flight for %s, the limit is %s', in_flight - orphans, whose, max_tasks)
  from budget where in_flight - orphans > max_tasks
  union all
  select 'exact', format('invariant 4: %s in flight for %s with those set by hand, the limit is %s', in_flight, whose, max_tasks)
  from budget where in_flight > max_tasks
  union all
  select 'always', format('invariant 4: %s tokens a minute reserved for %s, the budget is %s', reserved - orphan_reserved, whose, max_tpm)
  from budget where reserved - orphan_reserved > max_tpm and in_flight - orphans <> 1
  union all
  select 'exact', format('invariant 4: %s tokens a minute reserved and recent for %s, the budget is %s', reserved + recent, whose, max_tpm)
  from budget where reserved + recent > max_tpm and not (in_flight = 1 and reserved > max_tpm)
  union all
  select 'always', format('invariant 4: admitted for %s, which is paused', id) from agent where admits and paused
  union all
  select 'always', format('invariant 4: admitted for %s, which is cooling down', id)
  from agent where admits and cooling_until > v_at and coalesce(min_cooling > v_at, true)
  union all
  select 'always', 'invariant 5: claimed before it was due, or without an estimate'
  from admitted where was_due > v_at or estimated_tokens is null
  union all
  select 'lone', format('invariant 5: task %s (priority %s) fits and was passed by %s', p.id, p.priority, p.by_id)
  from passed p join agent a on a.id = p.agent_id cross join settings s
  where (p.own or not (a.paused or coalesce(a.cooling_until > v_at, false) or coalesce(a.in_flight >= a.max_tasks, false)
      or exists (select from waiting b where b.agent_id = p.agent_id and b.blocked_since <= v_at - interval '30 seconds')))
    and (a.max_tpm is null or a.reserved + a.recent + p.rate <= a.max_tpm)
    and (s.max_tpm is null or (select sum(reserved + recent) from agent) + p.rate <= s.max_tpm)
  union all
  select 'lone', format('invariant 5: task %s waited for more than 30 s and was passed by %s', p.id, p.by_id)
  from passed p where p.own and p.blocked_since <= v_at - interval '30 seconds';
  return null;
end $$;

create trigger watch_admission after update on tickmark.tasks
referencing old table as old_rows new table as new_rows for each statement execute function watch.see_admission();

-- Within the transaction of a claim that got fewer than it asked for, with nothing else under way: what it left behind.
create function watch.left_behind() returns setof text language sql volatile set search_path = tickmark, pg_temp as $$
  with agent as materialized (
    select a.*, u.in_flight, u.reserved + u.recent as rate from watch.agent a cross join lateral watch.use_of(a.id, now()) u
  ),
  everyone as (select sum(in_flight) as in_flight, sum(rate) as rate from agent)
  select format('invariant 1: task %s of %s is due, fits, and is not claimed', w.id, w.agent_id)
  from tasks w join agent a on a.id = w.agent_id cross join settings s cross join everyone e
  cross join lateral watch.rate(w.estimated_tokens, w.estimated_seconds) as rate (needs)
  where w.status = 'enqueued' and w.estimated_tokens is not null and w.available_at <= now() and w.parked is distinct from 'held'
    and not a.paused and coalesce(a.cooling_until <= now(), true)
    and coalesce(a.in_flight < a.max_tasks, true) and coalesce(e.in_flight < s.max_concurrent_tasks, true)
    and coalesce(a.rate + needs <= a.max_tpm or (needs > a.max_tpm and a.in_flight = 0 and a.oversize = 'run_alone'), true)
    and coalesce(e.rate + needs <= s.max_tpm or (needs > s.max_tpm and e.in_flight = 0 and a.oversize = 'run_alone'), true)
    and not exists (
      select from tasks b where b.status = 'enqueued' and b.parked is null and b.blocked_since <= clock_timestamp() - interval '30 seconds'
    )
    and not exists (select from watch.by_hand)
$$;

create function watch.see_limits() returns trigger language plpgsql as $$
begin
  insert into watch.replaced values (old.id, old.lowered_concurrent_tasks, old.lowered_tpm, old.cooling_until);
  return null;
end $$;
create trigger watch_limits after update of lowered_concurrent_tasks, lowered_tpm, cooling_until on tickmark.agents
for each row execute function watch.see_limits();

create function watch.see_late() returns trigger language plpgsql as $$
begin
  insert into watch.late values (new.id) on conflict do nothing;
  return null;
end $$;
create trigger watch_late after update on tickmark.task_attempts for each row
when (old.run_stopped_at is not null and new.run_stopped_at is null) execute function watch.see_late();

create function watch.see_change() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('watch.by_hand', true), '') = '' then
    insert into watch.breaches values ('always', tg_argv[0]);
  end if;
  return new;
end $$;
create trigger watch_completed before update on tickmark.tasks for each row
when (old.status = 'completed' and (new.status <> old.status or new.result is distinct from old.result))
execute function watch.see_change('invariant 2: a completed task, or its result, was changed');
create trigger watch_over before update on tickmark.task_attempts for each row
when (old.finished_at is not null and new.finished_at is null)
execute function watch.see_change('invariant 3: an attempt that was over acts again');
create trigger watch_run before update on tickmark.task_attempts for each row
when (old.run_id is not null and new.run_id is distinct from old.run_id)
execute function watch.see_change('invariant 6: an attempt got another run');
create trigger watch_usage before update on tickmark.task_attempts for each row
when (old.usage_final and (new.input_tokens, new.output_tokens, new.llm_cost_usd) is distinct from (old.input_tokens, old.output_tokens, old.llm_cost_usd))
execute function watch.see_change('invariant 3: the usage of an attempt was recorded twice');
