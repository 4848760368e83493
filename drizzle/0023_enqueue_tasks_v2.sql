-- Puts tasks into the queue: all of them, or none where one names an agent that does not exist (then it returns 0).
--
-- A function, because planning this statement took eight times as long as running it for one task: here it is planned
-- once per connection, and no prepared statement stands in the way of a pooler. The rank of a task of an agent with an
-- order of its own, and with it the lane, is left to `tasks_take_claim_lane_new`, row by row; all others share one look at
-- the cursors, which stand still from the first statement on (drizzle/0006_claim_cursors.sql), and say so to that trigger.
create function tickmark.enqueue_tasks_v2(p_tasks jsonb) returns integer
language plpgsql volatile
set search_path = tickmark, pg_temp
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_count integer;
begin
  perform hold_claim_cursors(n.agent_id)
  from (select distinct agent_id from jsonb_to_recordset(p_tasks) as n (agent_id text)) n;

  perform set_config('tickmark.enqueuing', 'on', true);
  with new as materialized (
    select * from jsonb_to_recordset(p_tasks) as n (
      id uuid, place integer, agent_id text, priority integer, extraction_id uuid, document_id uuid, input jsonb,
      tokens integer, seconds real, actor text
    )
  ),
  -- Only for agents with an order of their own; what is not inspected yet gets its rank with its estimate.
  ranked as materialized (
    select n.agent_id, n.priority, n.extraction_id, a.fair,
      next_claim_rank(n.agent_id, n.priority, n.extraction_id, now(), count(*)) as first
    from new n
    join agents a on a.id = n.agent_id and (a.fair or a.ageing_seconds is not null)
    where n.tokens is not null or n.document_id is null
    group by n.agent_id, n.priority, n.extraction_id, a.fair
  ),
  made as (
    insert into tasks (
      id, agent_id, priority, extraction_id, document_id, input, estimated_tokens, estimated_seconds, max_attempts,
      claim_rank, claim_lane
    )
    select n.id, n.agent_id, n.priority, n.extraction_id, n.document_id, n.input,
      coalesce(n.tokens, case when n.document_id is null then 0 end), n.seconds, a.max_attempts,
      coalesce(r.first + case when r.fair then n.place else 0 end, 0),
      case
        when a.fair or a.ageing_seconds is not null then null
        when c.agent_id is not null and (0::bigint, now(), n.id) < (c.claim_rank, c.created_at, c.id) then 0
        else 1
      end
    from new n
    join agents a on a.id = n.agent_id
    left join claim_cursors c on c.agent_id = n.agent_id and c.class = claim_class(n.priority, 0)
    left join ranked r on r.agent_id = n.agent_id and r.priority = n.priority
      and r.extraction_id is not distinct from n.extraction_id and (n.tokens is not null or n.document_id is null)
    where not exists (select from new x where x.agent_id not in (select id from agents))
    returning id
  ),
  noted as (
    insert into task_events (task_id, to_status, actor, reason)
    select n.id, 'enqueued', n.actor, 'enqueued' from new n join made using (id)
  )
  select count(*) into v_count from made;
  perform set_config('tickmark.enqueuing', 'off', true);
  return v_count;
end $$;
