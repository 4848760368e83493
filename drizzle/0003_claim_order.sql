-- The order of an agent's waiting work is fixed when a task begins to wait, never at the claim: whatever is asked for,
-- the claim walks one index. Within a class (the priority) it goes by `claim_rank`, then by age.
--   0   first come first served;
--   > 0 turns (`agents.fair`): the n-th task of an extraction waits for the n-th round. A newcomer starts with the round
--       that is being served, so that it neither waits for what others have queued nor shuts them out;
--   < 0 ageing (`agents.ageing_seconds`): priority + waited ÷ ageing_seconds only ever changes for all alike, so that
--       the order by created_at − priority × ageing_seconds stands for it. All priorities are one class.

-- The round that is being served in a class; null where nothing waits.
create function tickmark.claim_front(p_agent text, p_priority integer) returns bigint
language sql stable
set search_path = tickmark, pg_temp
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $$
  select t.claim_rank from tasks t
  where t.agent_id = p_agent and t.status = 'enqueued' and t.estimated_tokens is not null and t.parked is null
    and (case when t.claim_rank < 0 then 0 else t.priority end) = p_priority
    and t.claim_rank > 0
  order by (case when t.claim_rank < 0 then 0 else t.priority end) desc, t.claim_rank, t.created_at, t.id
  limit 1
$$;
--> statement-breakpoint
create function tickmark.ageing_rank(p_created_at timestamptz, p_priority integer, p_ageing_seconds integer) returns bigint
language sql stable
return (extract(epoch from p_created_at) * 1000)::bigint - p_priority::bigint * p_ageing_seconds * 1000 - 10000000000000000;
--> statement-breakpoint
-- The rank of a task that begins to wait; of `p_count` of one extraction, that of the first: the others follow one by one.
create function tickmark.next_claim_rank(
  p_agent text, p_priority integer, p_flow uuid, p_created_at timestamptz, p_count bigint default 1
) returns bigint
language plpgsql volatile
set search_path = tickmark, pg_temp
as $$
#variable_conflict use_column
declare
  v_agent agents%rowtype;
  v_front bigint;
  v_last bigint;
begin
  select * into v_agent from agents a where a.id = p_agent;
  if v_agent.ageing_seconds is not null then
    return ageing_rank(p_created_at, p_priority, v_agent.ageing_seconds);
  end if;
  if v_agent.fair is not true then
    return 0;
  end if;
  v_front := claim_front(p_agent, p_priority);
  -- Where nothing waits any more a new first round begins, whoever had the last one.
  insert into fair_flows as f (agent_id, priority, flow, last_rank)
  values (
    p_agent, p_priority, coalesce(p_flow, '00000000-0000-0000-0000-000000000000'), coalesce(v_front, 1) - 1 + p_count
  )
  on conflict (agent_id, priority, flow) do update
  set last_rank = case when v_front is null then 0 else greatest(f.last_rank, v_front - 1) end + p_count
  returning f.last_rank into v_last;
  return v_last - p_count + 1;
end $$;
--> statement-breakpoint
-- A task that changes its class is a newcomer there; one that comes back to its own (a retry) is served with the round
-- that is being served: an old rank would make all newcomers start that far back. Costs nothing where ranks are 0.
create function tickmark.rank_waiting_task() returns trigger language plpgsql
set search_path = tickmark, pg_temp as $$
begin
  if new.priority = old.priority and new.claim_rank > 0 and (select a.fair from agents a where a.id = new.agent_id) then
    new.claim_rank := greatest(new.claim_rank, coalesce(claim_front(new.agent_id, new.priority), 0));
  else
    new.claim_rank := next_claim_rank(new.agent_id, new.priority, new.extraction_id, new.created_at);
  end if;
  return new;
end $$;
--> statement-breakpoint
create trigger tasks_rank
before update of status, priority, parked on tickmark.tasks
for each row when (
  new.status = 'enqueued' and new.claim_rank <> 0
  and (new.priority <> old.priority or old.status <> 'enqueued' or (old.parked is not null and new.parked is null))
)
execute function tickmark.rank_waiting_task();
--> statement-breakpoint
-- Another order counts for what waits already, too.
create function tickmark.reorder_waiting_tasks() returns trigger language plpgsql
set search_path = tickmark, pg_temp as $$
begin
  delete from fair_flows where agent_id = new.id;
  with ranked as (
    select t.id, case
      when new.fair then row_number() over (partition by t.priority, t.extraction_id order by t.created_at, t.id)
      when new.ageing_seconds is not null then ageing_rank(t.created_at, t.priority, new.ageing_seconds)
      else 0 end as claim_rank
    from tasks t
    where t.agent_id = new.id and t.status = 'enqueued' and t.estimated_tokens is not null
  )
  update tasks t set claim_rank = ranked.claim_rank
  from ranked where t.id = ranked.id and t.claim_rank <> ranked.claim_rank;
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
create trigger agents_reorder_waiting
after update of fair, ageing_seconds on tickmark.agents
for each row when ((old.fair, old.ageing_seconds) is distinct from (new.fair, new.ageing_seconds))
execute function tickmark.reorder_waiting_tasks();
