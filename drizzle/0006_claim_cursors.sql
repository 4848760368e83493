-- A claim reads an agent's waiting tasks in order from an index and stops at its batch. What has been claimed leaves dead
-- entries behind at the index's head, and while somebody holds a snapshot (a dump, a forgotten transaction, a replica's
-- feedback) nothing can be vacuumed: every claim then walks over all that was claimed since. A cursor per agent and
-- class says from where on to read instead. It moves only while nobody makes a task of the agent wait (an advisory lock,
-- exclusive for the move, shared for all others), so that it passes over nothing; what comes to wait at a place that it
-- has passed takes lane 0 of its class, which is read first.

-- Ids that ascend with time (UUID version 7, RFC 9562): random ones touch another page of each index at every insert.
-- PostgreSQL has them from 18 on; before, the time is put into a random one, as version 4 and 7 differ in two bits.
do $$
begin
  if to_regprocedure('pg_catalog.uuidv7()') is not null then
    execute 'create function tickmark.new_id() returns uuid language sql volatile parallel safe return uuidv7()';
  else
    execute $f$
      create function tickmark.new_id() returns uuid language sql volatile parallel safe
      return encode(set_bit(set_bit(overlay(
        uuid_send(gen_random_uuid())
        placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6
      ), 52, 1), 53, 1), 'hex')::uuid $f$;
  end if;
end $$;
--> statement-breakpoint
-- Tasks of a lower class are claimed first: the priority turned round; 0 for all where waiting counts as priority.
create function tickmark.claim_class(priority integer, claim_rank bigint) returns integer
language sql immutable parallel safe
return case when claim_rank < 0 then 0 else -priority end;
--> statement-breakpoint
create table tickmark.claim_cursors (
	agent_id text not null,
	class integer not null,
	claim_rank bigint not null,
	created_at timestamp with time zone not null,
	id uuid not null,
	moved_at timestamp with time zone default now() not null,
	constraint claim_cursors_agent_id_class_pk primary key(agent_id,class)
);
--> statement-breakpoint
drop index tickmark.tasks_claim;--> statement-breakpoint
drop index tickmark.tasks_processing;--> statement-breakpoint
alter table tickmark.agents add column in_flight_since timestamp with time zone default '1970-01-01Z' not null;--> statement-breakpoint
alter table tickmark.tasks add column in_flight_at timestamp with time zone;--> statement-breakpoint
alter table tickmark.tasks add column claim_lane smallint default 1 not null;--> statement-breakpoint
alter table tickmark.claim_cursors add constraint claim_cursors_agent_id_agents_id_fk foreign key (agent_id) references tickmark.agents(id) on delete cascade on update no action;--> statement-breakpoint
update tickmark.tasks t set in_flight_at = a.claimed_at
from tickmark.task_attempts a where a.id = t.current_attempt_id and t.status = 'processing';
--> statement-breakpoint
create index tasks_claim on tickmark.tasks using btree (agent_id,tickmark.claim_class(priority, claim_rank),claim_lane,claim_rank,created_at,id) where status = 'enqueued' and estimated_tokens is not null and parked is null;--> statement-breakpoint
create index tasks_processing on tickmark.tasks using btree (agent_id,in_flight_at) where status = 'processing';
--> statement-breakpoint
-- What the claim reads of an agent, range by range in this order: from a cursor to where the next one's class has its
-- lane 1. The row of class -101 begins before all.
create view tickmark.claim_ranges as
select agent_id, class, claim_rank, created_at, id, coalesce(lead(class) over (partition by agent_id order by class), 1) as next_class
from tickmark.claim_cursors;
--> statement-breakpoint
create function tickmark.open_claim_range() returns trigger language plpgsql
set search_path = tickmark, pg_temp as $$
begin
  insert into claim_cursors (agent_id, class, claim_rank, created_at, id)
  values (new.id, -101, 0, '1970-01-01Z', '00000000-0000-0000-0000-000000000000');
  return null;
end $$;
--> statement-breakpoint
create trigger agents_open_claim_range after insert on tickmark.agents
for each row execute function tickmark.open_claim_range();
--> statement-breakpoint
insert into tickmark.claim_cursors (agent_id, class, claim_rank, created_at, id)
select id, -101, 0, '1970-01-01Z', '00000000-0000-0000-0000-000000000000' from tickmark.agents;
--> statement-breakpoint
-- Waits while a cursor of the agent moves, then keeps all of them in place until this transaction ends.
create function tickmark.hold_claim_cursors(p_agent text) returns void language plpgsql
set search_path = tickmark, pg_temp as $$
begin
  perform pg_advisory_xact_lock_shared(1953063789, hashtext(p_agent));
  if current_setting('transaction_isolation') <> 'read committed' then
    -- Its snapshot may be from before a move. Then this fails as a serialization failure: to be run again.
    perform from claim_cursors where agent_id = p_agent and class = -101 for share;
  end if;
end $$;
--> statement-breakpoint
create function tickmark.take_claim_lane() returns trigger language plpgsql
set search_path = tickmark, pg_temp as $$
begin
  perform hold_claim_cursors(new.agent_id);
  new.claim_lane := case when exists (
    select from claim_cursors c
    where c.agent_id = new.agent_id and c.class = claim_class(new.priority, new.claim_rank)
      and (new.claim_rank, new.created_at, new.id) < (c.claim_rank, c.created_at, c.id)
  ) then 0 else 1 end;
  return new;
end $$;
--> statement-breakpoint
-- The triggers' names put them behind those that decide whether a task waits, and its rank.
create trigger tasks_take_claim_lane_new
before insert on tickmark.tasks
for each row when (new.status = 'enqueued' and new.estimated_tokens is not null and new.parked is null)
execute function tickmark.take_claim_lane();
--> statement-breakpoint
create trigger tasks_take_claim_lane
before update of status, priority, parked, estimated_tokens, claim_rank, created_at, agent_id, id on tickmark.tasks
for each row when (
  new.status = 'enqueued' and new.estimated_tokens is not null and new.parked is null
  and (
    old.status <> 'enqueued' or old.estimated_tokens is null or old.parked is not null
    or (old.priority, old.claim_rank, old.created_at, old.agent_id, old.id)
      is distinct from (new.priority, new.claim_rank, new.created_at, new.agent_id, new.id)
  )
)
execute function tickmark.take_claim_lane();
--> statement-breakpoint
-- As in 0003, over the new index: the round that is being served in a class; null where nothing waits.
create or replace function tickmark.claim_front(p_agent text, p_priority integer) returns bigint
language sql stable
set search_path = tickmark, pg_temp
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $$
  select t.claim_rank
  from (
    select lane,
      case when lane = 1 then (select c.claim_rank from claim_cursors c where c.agent_id = p_agent and c.class = -p_priority) end as rank,
      case when lane = 1 then (select c.created_at from claim_cursors c where c.agent_id = p_agent and c.class = -p_priority) end as created_at
    from (values (0), (1)) l (lane)
  ) l
  cross join lateral (
    select t.claim_rank
    from tasks t
    where t.agent_id = p_agent and t.status = 'enqueued' and t.estimated_tokens is not null and t.parked is null
      and claim_class(t.priority, t.claim_rank) = -p_priority and t.claim_lane = l.lane
      and (t.claim_rank, t.created_at) >= (greatest(l.rank, 1), coalesce(l.created_at, '1970-01-01Z'))
    order by t.claim_rank, t.created_at, t.id
    limit 1
  ) t
  order by t.claim_rank
  limit 1
$$;
--> statement-breakpoint
-- As in 0003. New is that the turns of a class that has run dry go on where its cursor stands.
create or replace function tickmark.next_claim_rank(
  p_agent text, p_priority integer, p_flow uuid, p_created_at timestamptz, p_count bigint default 1
) returns bigint
language plpgsql volatile
set search_path = tickmark, pg_temp
as $$
#variable_conflict use_column
declare
  v_agent agents%rowtype;
  v_front bigint;
  v_first bigint;
  v_last bigint;
begin
  select * into v_agent from agents a where a.id = p_agent;
  if v_agent.ageing_seconds is not null then
    return ageing_rank(p_created_at, p_priority, v_agent.ageing_seconds);
  end if;
  if v_agent.fair is not true then
    return 0;
  end if;
  -- Before the row of the turns, as whoever moves a cursor does.
  perform hold_claim_cursors(p_agent);
  v_front := claim_front(p_agent, p_priority);
  -- Where nothing waits any more a new round begins, whoever had the last one.
  v_first := coalesce(
    v_front, (select c.claim_rank from claim_cursors c where c.agent_id = p_agent and c.class = -p_priority), 1
  );
  insert into fair_flows as f (agent_id, priority, flow, last_rank)
  values (p_agent, p_priority, coalesce(p_flow, '00000000-0000-0000-0000-000000000000'), v_first - 1 + p_count)
  on conflict (agent_id, priority, flow) do update
  set last_rank = case when v_front is null then v_first - 1 else greatest(f.last_rank, v_first - 1) end + p_count
  returning f.last_rank into v_last;
  return v_last - p_count + 1;
end $$;
--> statement-breakpoint
-- As in 0003. New is that the cursors go with the order that they belonged to.
create or replace function tickmark.reorder_waiting_tasks() returns trigger language plpgsql
set search_path = tickmark, pg_temp as $$
begin
  perform hold_claim_cursors(new.id);
  delete from claim_cursors where agent_id = new.id and class > -101;
  delete from fair_flows where agent_id = new.id;
  with ranked as (
    select t.id, case
      when new.fair then row_number() over (partition by t.priority, t.extraction_id order by t.created_at, t.id)
      when new.ageing_seconds is not null then ageing_rank(t.created_at, t.priority, new.ageing_seconds)
      else 0 end as claim_rank
    from tasks t
    where t.agent_id = new.id and t.status = 'enqueued' and t.estimated_tokens is not null
  )
  update tasks t set claim_rank = ranked.claim_rank, claim_lane = 1
  from ranked where t.id = ranked.id and (t.claim_rank <> ranked.claim_rank or t.claim_lane <> 1);
  if new.fair then
    insert into fair_flows (agent_id, priority, flow, last_rank)
    select t.agent_id, t.priority, coalesce(t.extraction_id, '00000000-0000-0000-0000-000000000000'), max(t.claim_rank)
    from tasks t
    where t.agent_id = new.id and t.status = 'enqueued' and t.estimated_tokens is not null
    group by 1, 2, 3
    on conflict (agent_id, priority, flow) do update set last_rank = greatest(fair_flows.last_rank, excluded.last_rank);
  end if;
  return null;
end $$;
--> statement-breakpoint
-- Moves the cursors of an agent past what is no longer waiting, where walking over it has begun to take time. Gives up
-- (lock_not_available) when somebody is in the middle of making tasks wait: the next call will do. Returns how many moved.
create function tickmark.advance_claim_cursors(p_agent text, p_slow interval) returns integer
language plpgsql volatile
set search_path = tickmark, pg_temp
set lock_timeout = '50ms'
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set jit = off
as $$
#variable_conflict use_column
declare
  v_locked boolean := false;
  v_range record;
  v_first record;
  v_begun timestamptz;
  v_class integer;
  v_agent agents%rowtype;
  v_cursor claim_cursors%rowtype;
  v_moved integer := 0;
begin
  -- Somebody may have deleted it by hand, and then nothing of the agent would be claimed.
  insert into claim_cursors (agent_id, class, claim_rank, created_at, id)
  select a.id, -101, 0, '1970-01-01Z', '00000000-0000-0000-0000-000000000000' from agents a where a.id = p_agent
  on conflict do nothing;

  for v_range in select * from claim_ranges r where r.agent_id = p_agent order by r.class loop
    v_begun := clock_timestamp();
    select claim_class(t.priority, t.claim_rank) as class into v_first
    from tasks t
    where t.agent_id = p_agent and t.status = 'enqueued' and t.estimated_tokens is not null and t.parked is null
      and (claim_class(t.priority, t.claim_rank), t.claim_lane, t.claim_rank, t.created_at, t.id)
        >= (v_range.class, 1::smallint, v_range.claim_rank, v_range.created_at, v_range.id)
      and (claim_class(t.priority, t.claim_rank), t.claim_lane) < (v_range.next_class, 1::smallint)
    order by claim_class(t.priority, t.claim_rank), t.claim_lane, t.claim_rank, t.created_at, t.id
    limit 1;
    continue when clock_timestamp() - v_begun < p_slow;

    if not v_locked then
      perform pg_advisory_xact_lock(1953063789, hashtext(p_agent));
      v_locked := true;
      select * into v_agent from agents a where a.id = p_agent;
    end if;
    -- From here on no task of the agent begins to wait, and each statement sees all that do.
    for v_class in greatest(v_range.class, -100) .. least(v_first.class, v_range.next_class - 1, 0) loop
      v_begun := clock_timestamp();
      select t.claim_rank, t.created_at, t.id into v_first
      from tasks t
      where t.agent_id = p_agent and t.status = 'enqueued' and t.estimated_tokens is not null and t.parked is null
        and claim_class(t.priority, t.claim_rank) = v_class and t.claim_lane = 1
        and (t.claim_rank, t.created_at, t.id) >= (
          case when v_class = v_range.class then v_range.claim_rank else -9223372036854775808 end,
          case when v_class = v_range.class then v_range.created_at else '-infinity' end,
          case when v_class = v_range.class then v_range.id else '00000000-0000-0000-0000-000000000000' end
        )
      order by t.claim_rank, t.created_at, t.id
      limit 1;
      continue when clock_timestamp() - v_begun < p_slow;
      if v_first.id is null then
        -- All has been claimed. What comes now comes later than that, but for ageing, where priority counts as time.
        continue when v_agent.ageing_seconds is not null;
        if v_agent.fair then
          select coalesce(max(f.last_rank), 0) + 1 as claim_rank, '1970-01-01Z'::timestamptz as created_at,
            '00000000-0000-0000-0000-000000000000'::uuid as id
          into v_first from fair_flows f where f.agent_id = p_agent and f.priority = -v_class;
        else
          select 0::bigint as claim_rank, clock_timestamp() as created_at,
            '00000000-0000-0000-0000-000000000000'::uuid as id
          into v_first;
        end if;
      end if;
      insert into claim_cursors as c (agent_id, class, claim_rank, created_at, id)
      values (p_agent, v_class, v_first.claim_rank, v_first.created_at, v_first.id)
      on conflict (agent_id, class) do update
      set claim_rank = excluded.claim_rank, created_at = excluded.created_at, id = excluded.id, moved_at = clock_timestamp();
      v_moved := v_moved + 1;
    end loop;
  end loop;

  -- One that has not moved for a while goes when it is not needed any more: every range costs a claim a few pages.
  select * into v_cursor from claim_cursors c
  where c.agent_id = p_agent and c.class > -101 and c.moved_at < clock_timestamp() - interval '1 minute'
  order by c.moved_at limit 1;
  if found then
    v_begun := clock_timestamp();
    perform from tasks t
    where t.agent_id = p_agent and t.status = 'enqueued' and t.estimated_tokens is not null and t.parked is null
      and claim_class(t.priority, t.claim_rank) = v_cursor.class
      and (t.claim_lane, t.claim_rank, t.created_at, t.id)
        < (1::smallint, v_cursor.claim_rank, v_cursor.created_at, v_cursor.id)
    limit 1;
    if not found and clock_timestamp() - v_begun < p_slow then
      perform pg_advisory_xact_lock(1953063789, hashtext(p_agent));
      delete from claim_cursors c
      where c.agent_id = p_agent and c.class = v_cursor.class and not exists (
        select from tasks t
        where t.agent_id = p_agent and t.status = 'enqueued' and t.estimated_tokens is not null and t.parked is null
          and claim_class(t.priority, t.claim_rank) = v_cursor.class and t.claim_lane = 0
      );
    else
      update claim_cursors c set moved_at = clock_timestamp() where c.agent_id = p_agent and c.class = v_cursor.class;
    end if;
  end if;

  if v_moved > 0 then
    update claim_cursors c set moved_at = clock_timestamp() where c.agent_id = p_agent and c.class = -101;
  end if;
  return v_moved;
end $$;
--> statement-breakpoint
-- The same for the count of an agent's tasks in flight: puts those that are still in flight behind what has ended, and
-- the count begins there. No claim of the agent is under way meanwhile (its limits' lock), so that none is left out; else
-- lock_not_available. One that somebody is just about to end keeps its place, and the beginning with it.
create function tickmark.advance_in_flight(p_agent text, p_slow interval) returns boolean
language plpgsql volatile
set search_path = tickmark, pg_temp
set lock_timeout = '50ms'
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
declare
  v_begun timestamptz := clock_timestamp();
  v_live bigint;
  v_since timestamptz;
begin
  select count(*) into v_live
  from agents a join tasks t on t.agent_id = a.id and t.status = 'processing' and t.in_flight_at >= a.in_flight_since
  where a.id = p_agent;
  if clock_timestamp() - v_begun < p_slow + v_live * interval '2 microseconds' then
    return false;
  end if;
  perform pg_advisory_xact_lock(1953063787, hashtext(p_agent));
  select greatest(clock_timestamp(), a.in_flight_since) into v_since from agents a where a.id = p_agent;
  with live as materialized (
    select t.id
    from agents a join tasks t on t.agent_id = a.id and t.status = 'processing' and t.in_flight_at >= a.in_flight_since
    where a.id = p_agent
    for update of t skip locked
  )
  update tasks t set in_flight_at = v_since from live where t.id = live.id;
  update agents a
  set in_flight_since = coalesce((
    select t.in_flight_at from tasks t
    where t.agent_id = a.id and t.status = 'processing' and t.in_flight_at >= a.in_flight_since
    order by t.in_flight_at limit 1
  ), v_since)
  where a.id = p_agent;
  return true;
end $$;
--> statement-breakpoint
-- As in 0001, with the beginning of the count.
create or replace function tickmark.agent_token_use(as_of timestamptz, agent text)
returns table (rate numeric)
language sql stable
begin atomic
  select coalesce(sum(tickmark.token_rate(t.estimated_tokens, t.estimated_seconds)), 0)::numeric
  from tickmark.tasks t
  where t.agent_id = agent and t.status = 'processing'
    and t.in_flight_at >= (select g.in_flight_since from tickmark.agents g where g.id = agent)
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
-- As in 0005; and a task that a person puts in flight counts from then on.
create or replace function tickmark.note_change_by_hand() returns trigger language plpgsql
set search_path = tickmark, pg_temp as $$
begin
  insert into task_events (task_id, attempt_id, from_status, to_status, actor, reason)
  values (new.id, old.current_attempt_id, old.status, new.status, 'sql:' || session_user, 'changed by hand');
  if new.status = 'processing' then
    new.in_flight_at := clock_timestamp();
  end if;
  return new;
end $$;
--> statement-breakpoint
-- For workers of the version before while both run side by side: what they claim is counted, too.
create or replace function tickmark.claim_tasks_v1(
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
as $$
begin
  return query select * from claim_tasks_v2(p_worker, p_limit, p_lease_seconds, p_agent_ids);
end $$;
