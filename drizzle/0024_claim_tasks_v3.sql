-- Claims due tasks: the throttle, the attempts, the leases and the history in one transaction and one round trip.
--
-- The limits are exact with any number of claimers (architecture, invariant 4). Lock first: each limit has an advisory
-- lock, taken whole where the limit is set and shared where it is not, the ceilings before the agents and these in the
-- order of their keys. Count in the NEXT statement: only that one sees what the claimer before us committed. Take the
-- time after the lock. A lock and a count in one statement share a snapshot and over-admit, and so does REPEATABLE READ.
--
-- The cost does not depend on the backlog: each agent's waiting tasks are read in order from a partial index (what that
-- order is, strict, in turns or with ageing, is fixed in each row: drizzle/0003_claim_order.sql), and no more of them
-- than can be taken (or, under a token budget, than the look-ahead). What is not due is not in that index. Nor does it
-- depend on what has been claimed before, as cursors lead past that (`claim_ranges`: drizzle/0006_claim_cursors.sql).
-- The planner is not free to sort, to scan or to join otherwise than by key: statistics are stale right after a bulk
-- insert, when it matters most.
create function tickmark.claim_tasks_v3(
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
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
#variable_conflict use_column
declare
  c_ceilings constant integer := 1953063786;
  c_agents constant integer := 1953063787;
  c_bypass constant interval := '30 seconds';
  -- Tasks of an agent that are looked at beyond those that can be taken: first a few, then all that ever are.
  c_first_look constant integer := 16;
  c_last_look constant integer := 1000;

  v_now timestamptz := clock_timestamp();
  v_agents text[];
  v_exclusive text[] := '{}';
  v_ceilings_locked boolean;
  v_lock record;
  v_patient boolean := true;

  -- The ceilings over all agents, and what is used of them.
  v_max_tasks integer;
  v_max_tpm integer;
  v_in_flight bigint := 0;
  v_rate numeric := 0;

  -- The same per agent; one position per agent in all of these.
  v_ids text[];
  v_free integer[];
  v_tpms integer[];
  v_hold_above integer[];
  v_in_flights bigint[];
  v_rates numeric[];
  v_ageing integer[];
  v_closed boolean[];
  v_stamped boolean[];
  v_seen integer[];
  v_versions integer[];
  v_leases integer[];
  v_max_runs integer[];
  v_since timestamptz[];

  v_turns boolean;
  v_one boolean;
  v_left integer;
  v_window integer;
  v_more boolean;
  v_task record;
  i integer;
  v_fits_agent boolean;
  v_fits_all boolean;
  v_shares integer[];
  v_picked uuid[] := '{}';
  v_picked_rates integer[] := '{}';
  v_picked_of integer[] := '{}';
  v_stamp uuid[] := '{}';
  v_hold uuid[] := '{}';
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'claim_tasks_v3 locks, then counts: call it in a READ COMMITTED transaction';
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
    select from claim_ranges r
    cross join lateral (
      select from tasks t
      where t.agent_id = r.agent_id and t.status = 'enqueued' and t.estimated_tokens is not null and t.parked is null
        and (claim_class(t.priority, t.claim_rank), t.claim_lane, t.claim_rank, t.created_at, t.id)
          >= (r.class, 1::smallint, r.claim_rank, r.created_at, r.id)
        and (claim_class(t.priority, t.claim_rank), t.claim_lane) < (r.next_class, 1::smallint)
      limit 1
    ) t
    where r.agent_id = a.id
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
  if not lock_for_claim(c_ceilings, 0, v_ceilings_locked is not true, true) then
    return;
  end if;
  for v_lock in
    select hashtext(a.id) as key, array_agg(a.id) as ids,
      bool_or(coalesce(a.max_concurrent_tasks, a.max_tpm, a.lowered_concurrent_tasks, a.lowered_tpm) is not null)
        as limited
    from agents a where a.id = any(v_agents)
    group by 1
    order by 1
  loop
    if not lock_for_claim(c_agents, v_lock.key, not v_lock.limited, v_patient) then
      v_patient := false;
      v_agents := array(select unnest(v_agents) except select unnest(v_lock.ids));
    elsif v_lock.limited then
      v_exclusive := v_exclusive || v_lock.ids;
    end if;
  end loop;

  -- Count, with a snapshot taken after the locks.
  v_now := clock_timestamp();
  select s.max_concurrent_tasks, s.max_tpm into v_max_tasks, v_max_tpm from settings s where s.id = 1;
  if (v_max_tasks is not null or v_max_tpm is not null) and v_ceilings_locked is not true then
    return; -- a ceiling was set while we waited: next time, under its lock
  end if;
  if v_max_tasks is not null or v_max_tpm is not null then
    select (
        select coalesce(sum(n.tasks), 0) from agents a
        cross join lateral (
          select count(*) as tasks from tasks t
          where t.agent_id = a.id and t.status = 'processing' and t.in_flight_at >= a.in_flight_since
        ) n
      )
         + (select count(*) from task_attempts
            where finished_at is not null and run_stopped_at is null and status = 'superseded')
    into v_in_flight;
  end if;
  if v_max_tpm is not null then
    select coalesce(sum(u.rate), 0) into v_rate from agents a cross join lateral agent_token_use(v_now, a.id) u;
  end if;
  -- Agents take turns where one of them asks for it: the one with the least in flight is next.
  select bool_or(a.fair) and count(*) > 1 into v_turns from agents a where a.id = any(v_agents);
  select array_agg(a.id), array_agg(coalesce(a.max_tasks - used.in_flight, p_limit)::integer),
    array_agg(a.max_tpm), array_agg(case when a.oversize = 'hold' then least(a.own_tpm, v_max_tpm) end),
    array_agg(used.in_flight), array_agg(used.rate), array_agg(a.ageing_seconds),
    array_agg(a.current_version), array_agg(a.lease_seconds), array_agg(a.max_run_seconds), array_agg(a.in_flight_since),
    array_agg(false), array_agg(false), array_agg(0)
  into v_ids, v_free, v_tpms, v_hold_above, v_in_flights, v_rates, v_ageing, v_versions, v_leases, v_max_runs, v_since,
    v_closed, v_stamped, v_seen
  from (
    -- The effective limits: those that are set, or lower ones after a provider's 429.
    select a.id, a.oversize, a.ageing_seconds, a.in_flight_since, a.current_version, a.lease_seconds, a.max_run_seconds,
      a.max_tpm as own_tpm,
      least(a.max_concurrent_tasks, a.lowered_concurrent_tasks) as max_tasks, least(a.max_tpm, a.lowered_tpm) as max_tpm
    from agents a
    where a.id = any(v_agents) and not a.paused and (a.cooling_until is null or a.cooling_until <= v_now)
  ) a
  cross join lateral (
    select
      case when a.max_tasks is null and a.max_tpm is null and v_turns is not true then 0 else
        (select count(*) from tasks t
         where t.agent_id = a.id and t.status = 'processing' and t.in_flight_at >= a.in_flight_since)
        + (select count(*) from task_attempts x
           where x.agent_id = a.id and x.finished_at is not null and x.run_stopped_at is null and x.status = 'superseded')
      end as in_flight,
      case when a.max_tpm is null then 0 else
        (select coalesce(sum(u.rate), 0) from agent_token_use(v_now, a.id) u)
      end as rate
  ) used
  where (a.id = any(v_exclusive) or (a.max_tasks is null and a.max_tpm is null))
    and (a.max_tasks is null or used.in_flight < a.max_tasks);
  v_left := least(p_limit, v_max_tasks - v_in_flight);
  if v_ids is null or v_left < 1 then
    return;
  end if;
  v_one := cardinality(v_ids) = 1;

  if v_max_tpm is null and array_remove(v_tpms, null) = '{}' then
    -- Every task counts the same, so how many each agent may start decides, not which. First the agents' shares of
    -- the next v_left in order (one agent has them all), then (below) exactly so many rows are locked: a claimer beside
    -- us finds the next ones free.
    if v_one then
      v_free[1] := least(v_free[1], v_left);
    else
      -- Mostly each agent has its part of it. Where all that was looked at of one is among the next, more is.
      v_window := 2 * v_left / cardinality(v_ids) + c_first_look;
      loop
        with share as materialized (
          select next.position, count(*) as n
          from (
            select c.position
            from unnest(v_ids, v_free, v_in_flights, v_ageing) with ordinality as a (id, free, in_flight, ageing, position)
            cross join lateral (
              select a.position, w.priority, w.created_at, w.id,
                case when v_turns then a.in_flight + row_number() over () end as turn
              from (
                select t.priority + coalesce(extract(epoch from v_now - t.created_at)::float8 / a.ageing, 0) as priority,
                  t.created_at, t.id
                from claim_ranges r
                cross join lateral (
                  select t.priority, t.created_at, t.id
                  from tasks t
                  where t.agent_id = r.agent_id and t.status = 'enqueued' and t.estimated_tokens is not null
                    and t.parked is null and t.available_at <= v_now
                    and (claim_class(t.priority, t.claim_rank), t.claim_lane, t.claim_rank, t.created_at, t.id)
                      >= (r.class, 1::smallint, r.claim_rank, r.created_at, r.id)
                    and (claim_class(t.priority, t.claim_rank), t.claim_lane) < (r.next_class, 1::smallint)
                  order by claim_class(t.priority, t.claim_rank), t.claim_lane, t.claim_rank, t.created_at, t.id
                  limit least(a.free, v_left, v_window)
                ) t
                where r.agent_id = a.id
                order by r.class
                limit least(a.free, v_left, v_window)
              ) w
            ) c
            order by c.priority desc, c.turn, c.created_at, c.id
            limit v_left
          ) next
          group by next.position
        )
        select array_agg(coalesce(share.n, 0)::integer order by a.position),
          coalesce(bool_or(share.n = v_window and v_window < least(a.free, v_left)), false)
        into v_shares, v_more
        from unnest(v_ids, v_free) with ordinality as a (id, free, position)
        left join share on share.position = a.position;
        exit when not v_more;
        v_window := 4 * v_window;
      end loop;
      v_free := v_shares;
    end if;
  else
    -- Under a token budget: all in order, what fits is taken. The first of an agent that does not fit is stamped, and
    -- once it has waited for so long nothing after it in the order may pass it: of its agent where the agent's budget
    -- is in the way, of all agents where a ceiling is. Where the few that are looked at first do not decide, more are.
    v_window := v_left + c_first_look;
    loop
      v_more := false;
      for v_task in
        select c.*
        from unnest(v_ids, v_in_flights, v_ageing) with ordinality as a (id, in_flight, ageing, position)
        cross join lateral (
          select w.*, a.position, row_number() over ()::integer as place,
            case when v_turns then a.in_flight + row_number() over () when v_one then row_number() over () end as turn
          from (
            select t.id, t.created_at, t.blocked_since,
              t.priority + coalesce(extract(epoch from v_now - t.created_at)::float8 / a.ageing, 0) as priority,
              token_rate(t.estimated_tokens, t.estimated_seconds) as rate
            from claim_ranges r
            cross join lateral (
              select t.id, t.created_at, t.blocked_since, t.priority, t.estimated_tokens, t.estimated_seconds
              from tasks t
              where t.agent_id = r.agent_id and t.status = 'enqueued' and t.estimated_tokens is not null
                and t.parked is null and t.available_at <= v_now
                and (claim_class(t.priority, t.claim_rank), t.claim_lane, t.claim_rank, t.created_at, t.id)
                  >= (r.class, 1::smallint, r.claim_rank, r.created_at, r.id)
                and (claim_class(t.priority, t.claim_rank), t.claim_lane) < (r.next_class, 1::smallint)
              order by claim_class(t.priority, t.claim_rank), t.claim_lane, t.claim_rank, t.created_at, t.id
              limit v_window
            ) t
            where r.agent_id = a.id
            order by r.class
            limit v_window
          ) w
        ) c
        where not v_closed[a.position]
        order by c.priority desc, c.turn, c.created_at, c.id
      loop
        i := v_task.position;
        continue when v_closed[i] or v_task.place <= v_seen[i];
        v_seen[i] := v_task.place;
        if v_free[i] < 1 then
          v_closed[i] := true;
        elsif v_task.rate > v_hold_above[i] then
          v_hold := v_hold || v_task.id;
        else
          -- One that alone exceeds a budget runs alone under it.
          v_fits_agent := v_tpms[i] is null
            or (v_task.rate > v_tpms[i] and v_in_flights[i] = 0)
            or v_rates[i] + v_task.rate <= v_tpms[i];
          v_fits_all := v_max_tpm is null
            or (v_task.rate > v_max_tpm and v_in_flight = 0)
            or v_rate + v_task.rate <= v_max_tpm;
          if v_fits_agent and v_fits_all then
            v_picked := v_picked || v_task.id;
            v_picked_rates := v_picked_rates || v_task.rate;
            v_picked_of := v_picked_of || i;
            v_left := v_left - 1;
            v_free[i] := v_free[i] - 1;
            v_in_flights[i] := v_in_flights[i] + 1;
            v_rates[i] := v_rates[i] + v_task.rate;
            v_in_flight := v_in_flight + 1;
            v_rate := v_rate + v_task.rate;
          else
            if not v_stamped[i] and v_task.blocked_since is null then
              v_stamp := v_stamp || v_task.id;
            end if;
            v_stamped[i] := true;
            if v_task.blocked_since <= v_now - c_bypass then
              v_closed[i] := true;
              if not v_fits_all then
                v_left := 0;
              end if;
            end if;
          end if;
        end if;
        -- What comes after the last that was looked at is not known yet, so the order ends here.
        v_more := v_task.place = v_window and v_window < c_last_look and not v_closed[i];
        exit when v_left < 1 or v_more;
      end loop;
      exit when v_left < 1 or not v_more;
      v_window := c_last_look;
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
    v_free := array_fill(0, array[cardinality(v_ids)]);
  end if;

  return query
  with picked as materialized (
    select t.id, t.last_attempt_number, a.version, a.lease_seconds, a.max_run_seconds, a.ageing, a.since
    from unnest(v_ids, v_free, v_versions, v_leases, v_max_runs, v_ageing, v_since)
      as a (id, free, version, lease_seconds, max_run_seconds, ageing, since)
    cross join lateral (
      select t.id, t.last_attempt_number
      from claim_ranges r
      cross join lateral (
        select t.id, t.last_attempt_number
        from tasks t
        where t.agent_id = r.agent_id and t.status = 'enqueued' and t.estimated_tokens is not null
          and t.parked is null and t.available_at <= v_now
          and (claim_class(t.priority, t.claim_rank), t.claim_lane, t.claim_rank, t.created_at, t.id)
            >= (r.class, 1::smallint, r.claim_rank, r.created_at, r.id)
          and (claim_class(t.priority, t.claim_rank), t.claim_lane) < (r.next_class, 1::smallint)
        order by claim_class(t.priority, t.claim_rank), t.claim_lane, t.claim_rank, t.created_at, t.id
        limit a.free
        for update skip locked
      ) t
      where r.agent_id = a.id
      order by r.class
      limit a.free
    ) t
    union all
    select t.id, t.last_attempt_number, v_versions[u.position], v_leases[u.position], v_max_runs[u.position],
      v_ageing[u.position], v_since[u.position]
    from unnest(v_picked, v_picked_rates, v_picked_of) u (id, rate, position)
    cross join lateral (
      -- Somebody may have changed one since it was looked at: then it is decided on again, next time.
      select t.id, t.last_attempt_number from tasks t
      where t.id = u.id and t.status::text = 'enqueued' and t.parked is null
        and token_rate(t.estimated_tokens, t.estimated_seconds) <= u.rate
      for update skip locked
    ) t
  ),
  tried as materialized (
    select p.*, x.live, greatest(p.last_attempt_number, x.last_number) + 1 as number, new_id() as attempt_id,
      encode(uuid_send(gen_random_uuid()), 'hex') as trace_id
    from picked p
    cross join lateral (
      select coalesce(max(x.number), 0) as last_number, coalesce(bool_or(x.finished_at is null), false) as live
      from task_attempts x where x.task_id = p.id
    ) x
  ),
  -- A task that waits although an attempt of old still counts as live (a person's doing): we hold its row, so that
  -- attempt acts for nobody. Superseded, it stops its run and leaves the task free for the next claim.
  superseded as (
    update task_attempts x
    set status = 'superseded', finished_at = clock_timestamp()
    -- No join: the planner would walk all live attempts for each task. And mostly there is none, which is tested first.
    where (select bool_or(p.live) from tried p)
      and x.task_id = any(array(select p.id from tried p where p.live)) and x.finished_at is null
  ),
  moved as (
    update tasks t
    set status = 'processing',
      -- The ends of what these may be, which somebody has set by hand, stop no other task.
      attempt_count = least(t.attempt_count + 1, 1000000),
      last_attempt_number = least(p.number, 1000000),
      current_attempt_id = p.attempt_id,
      locked_by = p_worker,
      in_flight_at = greatest(v_now, p.since),
      lease_expires_at = v_now + make_interval(secs => coalesce(p.lease_seconds, p_lease_seconds)),
      blocked_since = null
    from tried p
    where t.id = p.id and not p.live
    returning t.id, p.attempt_id, p.number, t.agent_id, p.version, t.document_id, t.input, p.trace_id, p.max_run_seconds,
      t.priority, t.created_at, greatest(t.claim_rank, 0) as turn, t.estimated_tokens, t.estimated_seconds,
      t.priority + coalesce(extract(epoch from v_now - t.created_at)::float8 / p.ageing, 0) as aged
  ),
  made as (
    insert into task_attempts (
      id, task_id, agent_id, number, agent_version, claimed_by, trace_id, reserved_tokens, reserved_tpm, claimed_at
    )
    select m.attempt_id, m.id, m.agent_id, m.number, m.version, p_worker, m.trace_id, m.estimated_tokens,
      token_rate(m.estimated_tokens, m.estimated_seconds), v_now
    from moved m
  ),
  noted as (
    insert into task_events (task_id, attempt_id, from_status, to_status, actor, reason)
    select m.id, m.attempt_id, 'enqueued', 'processing', 'worker:' || p_worker, 'claimed' from moved m
  )
  select m.id, m.attempt_id, m.number, m.agent_id, m.version, m.document_id, m.input, m.trace_id, m.max_run_seconds,
    m.priority
  from moved m
  order by m.aged desc, m.turn, m.created_at, m.id;
end $$;
