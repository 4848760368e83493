-- Claims due tasks: the throttle, the attempts, the leases and the history in one transaction and one round trip.
--
-- The limits are exact with any number of claimers (architecture, invariant 4). Lock first: each limit has an advisory
-- lock, taken whole where the limit is set and shared where it is not, the ceilings before the agents and these in the
-- order of their keys. Count in the NEXT statement: only that one sees what the claimer before us committed. Take the
-- time after the lock. A lock and a count in one statement share a snapshot and over-admit, and so does REPEATABLE READ.
--
-- The cost does not depend on the backlog: each agent's waiting tasks are read in order from a partial index, and no
-- more of them than can be taken (or, under a token budget, than the look-ahead). What is not due is not in that index.
-- The planner is not free to sort or to scan, as statistics are stale right after a bulk insert, when it matters most.
create function tickmark.claim_tasks_v1(
  p_worker text,
  p_limit integer,
  p_lease_seconds double precision,
  p_agent_ids text[] default null
)
returns table (
  task_id uuid, attempt_id uuid, number integer, agent_id text, agent_version integer, document_id uuid, input jsonb,
  trace_id text, max_run_seconds integer, priority integer
)
language plpgsql volatile
set search_path = tickmark, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set jit = off
as $$
#variable_conflict use_column
declare
  c_ceilings constant integer := 1953063786;
  c_agents constant integer := 1953063787;
  c_bypass constant interval := '30 seconds';

  v_now timestamptz := clock_timestamp();
  v_agents text[];
  v_exclusive text[] := '{}';
  v_ceilings_locked boolean;
  v_lock record;

  -- The ceilings over all agents, and what is used of them.
  v_max_tasks integer;
  v_max_tpm integer;
  v_in_flight bigint := 0;
  v_rate numeric := 0;

  -- The same per agent; one position per agent in all of these.
  v_ids text[];
  v_free integer[];
  v_tpms integer[];
  v_holds boolean[];
  v_in_flights bigint[];
  v_rates numeric[];
  v_closed boolean[];
  v_stamped boolean[];

  v_left integer;
  v_window integer;
  v_task record;
  i integer;
  v_fits_agent boolean;
  v_fits_all boolean;
  v_picked uuid[] := '{}';
  v_stamp uuid[] := '{}';
  v_hold uuid[] := '{}';
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'claim_tasks_v1 locks, then counts: call it in a READ COMMITTED transaction';
  end if;

  -- What has become due since the last look comes back into the claim's sight.
  with due as materialized (
    select id from tasks
    where status = 'enqueued' and parked = 'later' and available_at <= v_now
    order by available_at
    limit 1000
    for update skip locked
  )
  update tasks t set parked = null from due where t.id = due.id;

  -- Agents that may run and have something waiting. An agent without is not locked.
  select array_agg(a.id) into v_agents
  from agents a
  cross join lateral (
    select from tasks t
    where t.agent_id = a.id and t.status = 'enqueued' and t.estimated_tokens is not null and t.parked is null
    limit 1
  ) waiting
  where not a.paused
    and (a.cooling_until is null or a.cooling_until <= v_now)
    and (p_agent_ids is null or a.id = any(p_agent_ids));
  if v_agents is null or p_limit < 1 then
    return;
  end if;

  -- Lock.
  select max_concurrent_tasks is not null or max_tpm is not null into v_ceilings_locked from settings where id = 1;
  if v_ceilings_locked then
    perform pg_advisory_xact_lock(c_ceilings, 0);
  else
    perform pg_advisory_xact_lock_shared(c_ceilings, 0);
  end if;
  for v_lock in
    select hashtext(a.id) as key, array_agg(a.id) as ids,
      bool_or(a.max_concurrent_tasks is not null or a.max_tpm is not null) as limited
    from agents a where a.id = any(v_agents)
    group by 1
    order by 1
  loop
    if v_lock.limited then
      perform pg_advisory_xact_lock(c_agents, v_lock.key);
      v_exclusive := v_exclusive || v_lock.ids;
    else
      perform pg_advisory_xact_lock_shared(c_agents, v_lock.key);
    end if;
  end loop;

  -- Count, with a snapshot taken after the locks.
  v_now := clock_timestamp();
  select s.max_concurrent_tasks, s.max_tpm into v_max_tasks, v_max_tpm from settings s where s.id = 1;
  if (v_max_tasks is not null or v_max_tpm is not null) and v_ceilings_locked is not true then
    return; -- a ceiling was set while we waited: next time, under its lock
  end if;
  if v_max_tasks is not null or v_max_tpm is not null then
    select (select count(*) from tasks where status = 'processing')
         + (select count(*) from task_attempts where status = 'superseded' and run_stopped_at is null)
    into v_in_flight;
  end if;
  if v_max_tpm is not null then
    select coalesce(sum(u.rate), 0) into v_rate from tickmark.token_use(v_now, null) u;
  end if;
  select array_agg(a.id), array_agg(coalesce(a.max_concurrent_tasks - used.in_flight, p_limit)::integer),
    array_agg(a.max_tpm), array_agg(a.oversize = 'hold'), array_agg(used.in_flight), array_agg(used.rate),
    array_agg(false), array_agg(false)
  into v_ids, v_free, v_tpms, v_holds, v_in_flights, v_rates, v_closed, v_stamped
  from agents a
  cross join lateral (
    select
      case when a.max_concurrent_tasks is null and a.max_tpm is null then 0 else
        (select count(*) from tasks t where t.agent_id = a.id and t.status = 'processing')
        + (select count(*) from task_attempts x
           where x.agent_id = a.id and x.status = 'superseded' and x.run_stopped_at is null)
      end as in_flight,
      case when a.max_tpm is null then 0 else
        (select coalesce(sum(u.rate), 0) from tickmark.token_use(v_now, a.id) u)
      end as rate
  ) used
  where a.id = any(v_agents)
    and not a.paused
    and (a.cooling_until is null or a.cooling_until <= v_now)
    and (a.id = any(v_exclusive) or (a.max_concurrent_tasks is null and a.max_tpm is null))
    and (a.max_concurrent_tasks is null or used.in_flight < a.max_concurrent_tasks);
  v_left := least(p_limit, v_max_tasks - v_in_flight);
  if v_ids is null or v_left < 1 then
    return;
  end if;

  if v_max_tpm is null and array_remove(v_tpms, null) = '{}' then
    -- Every task counts the same, so how many each agent may start decides, not which. First the agents' shares of
    -- the next v_left in order, then exactly so many rows are locked: a claimer beside us finds the next ones free.
    with share as materialized (
      select next.agent_id, count(*) as n
      from (
        select c.agent_id
        from unnest(v_ids, v_free) as a (id, free)
        cross join lateral (
          select t.agent_id, t.priority, t.created_at, t.id
          from tasks t
          where t.agent_id = a.id and t.status = 'enqueued' and t.estimated_tokens is not null and t.parked is null
            and t.available_at <= v_now
          order by t.priority desc, t.created_at, t.id
          limit least(a.free, v_left)
        ) c
        order by c.priority desc, c.created_at, c.id
        limit v_left
      ) next
      group by next.agent_id
    )
    select coalesce(array_agg(c.id), '{}') into v_picked
    from share
    cross join lateral (
      select t.id
      from tasks t
      where t.agent_id = share.agent_id and t.status = 'enqueued' and t.estimated_tokens is not null
        and t.parked is null and t.available_at <= v_now
      order by t.priority desc, t.created_at, t.id
      limit share.n
      for update skip locked
    ) c;
  else
    -- Under a token budget: all in order, what fits is taken. The first of an agent that does not fit is stamped, and
    -- once it has waited for so long nothing after it in the order may pass it: of its agent where the agent's budget
    -- is in the way, of all agents where a ceiling is.
    v_window := least(1000, v_left + 200);
    for v_task in
      select c.*, a.position
      from unnest(v_ids) with ordinality as a (id, position)
      cross join lateral (
        select t.id, t.priority, t.created_at, t.blocked_since,
          tickmark.token_rate(t.estimated_tokens, t.estimated_seconds) as rate
        from tasks t
        where t.agent_id = a.id and t.status = 'enqueued' and t.estimated_tokens is not null and t.parked is null
          and t.available_at <= v_now
        order by t.priority desc, t.created_at, t.id
        limit v_window
      ) c
      order by c.priority desc, c.created_at, c.id
    loop
      exit when v_left < 1;
      i := v_task.position;
      continue when v_closed[i];
      if v_free[i] < 1 then
        v_closed[i] := true;
        continue;
      end if;
      if v_holds[i] and (v_task.rate > v_tpms[i] or v_task.rate > v_max_tpm) then
        v_hold := v_hold || v_task.id;
        continue;
      end if;
      -- One that alone exceeds a budget runs alone under it.
      v_fits_agent := v_tpms[i] is null
        or (v_task.rate > v_tpms[i] and v_in_flights[i] = 0)
        or v_rates[i] + v_task.rate <= v_tpms[i];
      v_fits_all := v_max_tpm is null
        or (v_task.rate > v_max_tpm and v_in_flight = 0)
        or v_rate + v_task.rate <= v_max_tpm;
      if v_fits_agent and v_fits_all then
        v_picked := v_picked || v_task.id;
        v_left := v_left - 1;
        v_free[i] := v_free[i] - 1;
        v_in_flights[i] := v_in_flights[i] + 1;
        v_rates[i] := v_rates[i] + v_task.rate;
        v_in_flight := v_in_flight + 1;
        v_rate := v_rate + v_task.rate;
        continue;
      end if;
      if not v_stamped[i] and v_task.blocked_since is null then
        v_stamp := v_stamp || v_task.id;
      end if;
      v_stamped[i] := true;
      if v_task.blocked_since <= v_now - c_bypass then
        exit when not v_fits_all;
        v_closed[i] := true;
      end if;
    end loop;

    -- Rows by key only: the test of the status is written so that no partial index looks like a way to it.
    if v_stamp <> '{}' then
      with stamped as materialized (
        select t.id from unnest(v_stamp) u (id) join tasks t on t.id = u.id for update of t skip locked
      )
      update tasks t set blocked_since = v_now
      from stamped where t.id = stamped.id and t.status::text = 'enqueued';
    end if;
    if v_hold <> '{}' then
      with held as materialized (
        select t.id from unnest(v_hold) u (id) join tasks t on t.id = u.id for update of t skip locked
      )
      update tasks t set parked = 'held'
      from held where t.id = held.id and t.status::text = 'enqueued';
    end if;
    select coalesce(array_agg(t.id), '{}') into v_picked
    from unnest(v_picked) u (id)
    cross join lateral (
      select t.id from tasks t where t.id = u.id and t.status::text = 'enqueued' for update skip locked
    ) t;
  end if;
  if v_picked = '{}' then
    return;
  end if;

  return query
  with made as (
    insert into task_attempts (
      task_id, agent_id, number, agent_version, claimed_by, trace_id, reserved_tokens, reserved_tpm, claimed_at
    )
    select t.id, t.agent_id, t.last_attempt_number + 1, a.current_version, p_worker,
      replace(gen_random_uuid()::text, '-', ''), t.estimated_tokens,
      tickmark.token_rate(t.estimated_tokens, t.estimated_seconds), v_now
    from unnest(v_picked) u (id)
    join tasks t on t.id = u.id
    join agents a on a.id = t.agent_id
    -- A task that has a live attempt all the same (a person's doing) is left to the sweeper, and stops nobody else.
    on conflict do nothing
    returning id, task_id, number, agent_version, trace_id
  ),
  moved as (
    update tasks t
    set status = 'processing',
      attempt_count = t.attempt_count + 1,
      last_attempt_number = made.number,
      current_attempt_id = made.id,
      locked_by = p_worker,
      lease_expires_at = v_now + make_interval(secs => coalesce(a.lease_seconds, p_lease_seconds)),
      blocked_since = null
    from made, agents a
    where t.id = made.task_id and a.id = t.agent_id
    returning t.id, made.id as attempt_id, made.number, t.agent_id, made.agent_version, t.document_id, t.input,
      made.trace_id, a.max_run_seconds, t.priority, t.created_at
  ),
  noted as (
    insert into task_events (task_id, attempt_id, from_status, to_status, actor, reason)
    select m.id, m.attempt_id, 'enqueued', 'processing', 'worker:' || p_worker, 'claimed' from moved m
  )
  select m.id, m.attempt_id, m.number, m.agent_id, m.agent_version, m.document_id, m.input, m.trace_id,
    m.max_run_seconds, m.priority
  from moved m
  order by m.priority desc, m.created_at, m.id;
end $$;
