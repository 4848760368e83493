-- Ranks of two orders do not mix: in a place of the order before, a task is claimed too early or, under a token budget,
-- passed by all. The change of an agent's order (0003) re-ranks what waits then. What begins to wait afterwards still by
-- the order before is ranked here: a retry of what was in flight meanwhile, a task whose enqueuing began before. What is
-- not committed yet when the order changes, lib/queue/rank-stragglers.ts ranks.

-- 1 turns, -1 ageing, 0 first come first served: the sign of all ranks of an agent.
create function tickmark.rank_sign(a tickmark.agents) returns integer language sql immutable
return case when (a).fair then 1 when (a).ageing_seconds is not null then -1 else 0 end;
--> statement-breakpoint
create or replace function tickmark.take_claim_lane() returns trigger language plpgsql
set search_path = tickmark, pg_temp as $$
declare
  v_sign integer;
  v_passed boolean;
begin
  perform hold_claim_cursors(new.agent_id);
  -- In one statement, as this is done for each task that is enqueued.
  select rank_sign(a), exists (
    select from claim_cursors c
    where c.agent_id = a.id and c.class = claim_class(new.priority, new.claim_rank)
      and (new.claim_rank, new.created_at, new.id) < (c.claim_rank, c.created_at, c.id)
  )
  into v_sign, v_passed
  from agents a where a.id = new.agent_id;
  if sign(new.claim_rank) <> v_sign then
    new.claim_rank := next_claim_rank(new.agent_id, new.priority, new.extraction_id, new.created_at);
    v_passed := exists (
      select from claim_cursors c
      where c.agent_id = new.agent_id and c.class = claim_class(new.priority, new.claim_rank)
        and (new.claim_rank, new.created_at, new.id) < (c.claim_rank, c.created_at, c.id)
    );
  end if;
  new.claim_lane := case when v_passed then 0 else 1 end;
  return new;
end $$;
