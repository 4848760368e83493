-- As in 0006. New: a task that is enqueued in this very moment, still with a rank of the order before, is no turn. Where
-- that order was ageing, such a rank is below 0, and the change of the order failed.
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
    where t.agent_id = new.id and t.status = 'enqueued' and t.estimated_tokens is not null and t.claim_rank > 0
    group by 1, 2, 3
    on conflict (agent_id, priority, flow) do update set last_rank = greatest(fair_flows.last_rank, excluded.last_rank);
  end if;
  return null;
end $$;
