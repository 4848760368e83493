ALTER TABLE "tickmark"."agents" ADD COLUMN "order_changed_at" timestamp with time zone;
--> statement-breakpoint
-- A change of an agent's order in psql is followed up as one by the API is (lib/queue/rank-stragglers.ts).
create function tickmark.note_order_change() returns trigger language plpgsql as $$
begin
  new.order_changed_at := clock_timestamp();
  return new;
end $$;
--> statement-breakpoint
create trigger agents_note_order
before update of fair, ageing_seconds on tickmark.agents
for each row when ((old.fair, old.ageing_seconds) is distinct from (new.fair, new.ageing_seconds))
execute function tickmark.note_order_change();
--> statement-breakpoint
-- As in 0006. New is that a range is read again under the lock: what was read before may be of another order by then, or a
-- cursor that another worker has taken away, and a cursor that was moved from there passed waiting tasks. And one that has
-- passed something, however that came, is taken away.
-- Moves the cursors of an agent past what is no longer waiting, where walking over it has begun to take time. Gives up
-- (lock_not_available) when somebody is in the middle of making tasks wait: the next call will do. Returns how many moved.
create or replace function tickmark.advance_claim_cursors(p_agent text, p_slow interval) returns integer
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
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'advance_claim_cursors locks, then looks: call it in a READ COMMITTED transaction';
  end if;
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
    -- The range as it is under the lock: until then another order, or another worker, may have taken it away or moved it.
    select * into v_range from claim_ranges r where r.agent_id = p_agent and r.class = v_range.class;
    continue when not found;
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
    elsif exists (
      select from tasks t
      where t.agent_id = p_agent and t.status = 'enqueued' and t.estimated_tokens is not null and t.parked is null
        and claim_class(t.priority, t.claim_rank) = v_cursor.class and t.claim_lane = 1
        and (t.claim_rank, t.created_at, t.id) < (v_cursor.claim_rank, v_cursor.created_at, v_cursor.id)
    ) then
      -- Something waits where nobody looks, which should not be. To read more is always right.
      delete from claim_cursors c where c.agent_id = p_agent and c.class = v_cursor.class;
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
-- A lane that is given is believed of lib/queue alone, which looks at the cursors while they stand still. In rows that
-- somebody puts back from an archive or a dump it is of another time.
drop trigger tasks_take_claim_lane_new on tickmark.tasks;
--> statement-breakpoint
create trigger tasks_take_claim_lane_new
before insert on tickmark.tasks
for each row when (
  new.status = 'enqueued' and new.estimated_tokens is not null and new.parked is null
  and (new.claim_lane is null or current_setting('tickmark.enqueuing', true) is distinct from 'on')
)
execute function tickmark.take_claim_lane();
--> statement-breakpoint
-- As in 0001; and what is no document and loses its estimate, or an uninspected one its document, would wait for ever.
drop trigger tasks_keep_legal on tickmark.tasks;
--> statement-breakpoint
create trigger tasks_keep_legal
before insert or update of status, available_at, finished_at, current_attempt_id, estimated_tokens, document_id
on tickmark.tasks
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
-- A claim's lock on a limit. Somebody who changes a limit in a transaction that stays open keeps the agents waiting that
-- are concerned, not all: a claim is patient once, for a quarter of a second, and then goes on without them. That is less
-- than the time after which the server looks for deadlocks, so a change of several agents at once, in whatever order, gets
-- its way, too.
create function tickmark.lock_for_claim(p_space integer, p_key integer, p_shared boolean, p_patient boolean) returns boolean
language plpgsql volatile
set lock_timeout = '250ms'
as $$
begin
  if p_shared then
    if pg_try_advisory_xact_lock_shared(p_space, p_key) then
      return true;
    end if;
  elsif pg_try_advisory_xact_lock(p_space, p_key) then
    return true;
  end if;
  if not p_patient then
    return false;
  end if;
  begin
    if p_shared then
      perform pg_advisory_xact_lock_shared(p_space, p_key);
    else
      perform pg_advisory_xact_lock(p_space, p_key);
    end if;
    return true;
  exception when lock_not_available then
    return false;
  end;
end $$;
--> statement-breakpoint
drop function tickmark.claim_tasks_v1(text, integer, double precision, text[]);
