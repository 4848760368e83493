-- The nine invariants (ARCHITECTURE.md), read from the rows at an instant at which nothing is under way.
-- p: tasks (how many there must be), began (the sequence), heard (what attempts reported and were answered), alive
-- (attempts whose runs were noted, go on, and have not reported their end), kinds (of breaches that count now).
create function watch.broken(p jsonb) returns setof text
language plpgsql set search_path = tickmark, pg_temp set plan_cache_mode = force_generic_plan as $$
begin
  return query
  with event as materialized (
    select e.*, lag(e.to_status) over own as before, row_number() over own as n,
      lead(e.id) over own is null as is_last,
      count(*) filter (where e.reason = 'claimed') over own as claims,
      count(*) filter (where e.from_status is distinct from e.to_status) over own as steps,
      e.actor like 'sql:%' as by_hand
    from task_events e window own as (partition by e.task_id order by e.id)
  ),
  claim as (select task_id, claims, attempt_id from event where reason = 'claimed'),
  attempts as (
    select task_id, count(*) as n, count(*) filter (where status <> 'snoozed') as counted,
      count(*) filter (where status = 'succeeded') as succeeded, max(id::text) filter (where status = 'succeeded') as winner,
      max(number) as last
    from task_attempts group by task_id
  ),
  task as materialized (
    select t.*, coalesce(a.n, 0) as attempts, coalesce(a.counted, 0) as counted, coalesce(a.succeeded, 0) as succeeded, a.winner, a.last,
      exists (select from watch.by_hand h where h.task_id = t.id)
        or exists (select from event e where e.task_id = t.id and e.by_hand) as by_hand
    from tasks t left join attempts a on a.task_id = t.id
  ),
  heard as materialized (
    select * from jsonb_to_recordset(p->'heard') as h (attempt_id uuid, final boolean, tokens bigint)
  ),
  spoken as (
    select a.*, f.finals, f.most
    from task_attempts a
    left join lateral (
      select array_agg(h.tokens) filter (where h.final) as finals, max(h.tokens) as most from heard h where h.attempt_id = a.id
    ) f on true
  )
  select distinct what from watch.breaches where kind in (select jsonb_array_elements_text(p->'kinds'))
  union all
  select format('invariant 1: %s tasks were enqueued, there are %s', p->>'tasks', count(*)) from tasks having count(*) <> (p->>'tasks')::int
  union all
  select format('invariant 1: the history of %s is no chain: after %s comes %s>%s', e.task_id, e.before, e.from_status, e.to_status)
  from event e where e.before is distinct from e.from_status and not exists (select from watch.by_hand h where h.task_id = e.task_id)
  union all
  select format('invariant 1: the history of %s ends with %s, it is %s', t.id, e.to_status, t.status)
  from event e join task t on t.id = e.task_id
  where e.is_last and e.to_status <> t.status and not exists (select from watch.by_hand h where h.task_id = t.id)
  union all
  select format('invariant 1: task %s waits where no claim looks (parked %s, due %s)', t.id, t.parked, t.available_at)
  from task t join agents a on a.id = t.agent_id cross join settings s
  where t.status = 'enqueued' and (
    (t.parked is null and t.available_at > clock_timestamp())
    or (t.parked = 'held' and not (
      a.oversize = 'hold' and watch.rate(t.estimated_tokens, t.estimated_seconds) > least(a.max_tpm, s.max_tpm)
    ))
  )
  union all
  select format('invariant 2: %s went from completed to %s', e.task_id, e.to_status)
  from event e where e.from_status = 'completed' and e.to_status <> 'completed' and not e.by_hand
  union all
  select format('invariant 2: task %s is %s with %s attempts that succeeded', t.id, t.status, t.succeeded)
  from task t where not t.by_hand and (t.status = 'completed') <> (t.succeeded = 1)
  union all
  select format('invariant 2: the result of %s is not that of the attempt that succeeded', t.id)
  from task t where not t.by_hand and t.status = 'completed' and t.result->>'documentType' is distinct from t.winner
  union all
  select format('invariant 3: attempt %s is live but not the current one of its task', a.id)
  from task_attempts a join task t on t.id = a.task_id
  where a.finished_at is null and t.current_attempt_id is distinct from a.id
    and not exists (select from watch.by_hand h where h.task_id = t.id)
  union all
  select format('invariant 3: task %s is %s, its current attempt %s', t.id, t.status, coalesce(a.status::text, 'is none'))
  from task t left join task_attempts a on a.id = t.current_attempt_id
  where not t.by_hand and (t.status = 'processing') <> (a.id is not null and a.finished_at is null)
  union all
  select format('invariant 3: %s took %s from %s to processing', e.actor, e.task_id, e.from_status)
  from event e where e.to_status = 'processing' and e.from_status is distinct from 'processing' and e.reason <> 'claimed' and not e.by_hand
  union all
  select format('invariant 3: attempt %s ended %s, which was not its own any more', e.attempt_id, e.task_id)
  from event e left join claim c on c.task_id = e.task_id and c.claims = e.claims
  where e.actor = 'agent' and e.to_status in ('enqueued', 'failed')
    and (e.from_status <> 'processing' or e.attempt_id is distinct from c.attempt_id)
  union all
  select format('invariant 3: a cancel of %s was requested, and it became %s', e.task_id, e.to_status)
  from event e join event r on r.task_id = e.task_id and r.steps = e.steps - 1 and r.reason = 'cancel requested'
  where e.from_status = 'processing' and e.to_status not in ('processing', 'cancelled') and not e.by_hand
    and not exists (select from watch.by_hand h where h.task_id = e.task_id)
  union all
  select format('invariant 3: attempt %s used %s tokens, it reported %s (final: %s)', a.id, a.input_tokens + a.output_tokens, a.most, a.finals)
  from spoken a
  where case when a.finals is null then a.input_tokens + a.output_tokens is distinct from a.most
    else coalesce(a.input_tokens + a.output_tokens <> all (a.finals), true) end
  union all
  select format('invariant 4: attempt %s is %s and its slot is free, but its run goes on', a.id, a.status)
  from task_attempts a
  where a.id in (select jsonb_array_elements_text(p->'alive')::uuid) and a.run_id is not null
    and a.run_stopped_at is not null
  union all
  select format('attempts: task %s counts %s claims, it had %s', t.id, t.attempt_count, t.counted) from task t where t.attempt_count <> t.counted
  union all
  select format('attempts: task %s had %s attempts, the last is number %s, noted %s', t.id, t.attempts, t.last, t.last_attempt_number)
  from task t where t.last_attempt_number <> t.attempts or t.last is distinct from nullif(t.attempts, 0)
  union all
  select format('attempts: task %s is %s with %s of %s attempts', t.id, t.status, t.attempt_count, t.max_attempts)
  from task t
  where not t.by_hand and (t.status = 'enqueued' and t.attempt_count >= t.max_attempts or t.status = 'processing' and t.attempt_count > t.max_attempts)
  union all
  select format('invariant 5: task %s has the rank %s, which is of another order than its agent''s', t.id, t.claim_rank)
  from task t join agents a on a.id = t.agent_id
  where t.status = 'enqueued' and t.estimated_tokens is not null and t.parked is null
    and a.order_changed_at is null
    and sign(t.claim_rank) <> case when a.fair then 1 when a.ageing_seconds is not null then -1 else 0 end
  union all
  select format('invariant 6: the run of attempt %s is %s', a.id, a.run_id) from task_attempts a where a.run_id <> 'run-' || a.id
  union all
  select format('invariant 7: attempt %s cost %s', a.id, a.llm_cost_usd)
  from task_attempts a
  where a.llm_cost_usd is distinct from case when a.model = 'simulated'
    then round(((a.input_tokens - a.cached_input_tokens) * 0.15 + a.cached_input_tokens * 0.015 + a.output_tokens * 0.6) / 1000000, 12)
    else a.reported_cost_usd end
  union all
  select format('invariant 8: an instant of another clock: %s', i.at)
  from (
    select at from task_events union all select finished_at from tasks union all select created_at from tasks
    union all select heartbeat_at from workers union all select last_sign_at from task_attempts
  ) i
  where i.at not between (p->>'began')::timestamptz and clock_timestamp()
  union all
  select format('invariant 8: an instant that is not over: attempt %s', a.id)
  from task_attempts a where greatest(a.claimed_at, a.dispatched_at, a.finished_at, a.run_stopped_at) > clock_timestamp()
  union all
  select format('invariant 8: a lease or a wait of another clock: task %s', t.id)
  from tasks t where t.lease_expires_at > clock_timestamp() + interval '20 minutes' or t.available_at > clock_timestamp() + interval '40 minutes'
  union all
  select 'invariant 9: rows that cannot be read'
  from (select to_jsonb(t)::text || t.result::text as t from tasks t union all select to_jsonb(a)::text from task_attempts a) r having sum(length(r.t)) < 0;
  delete from watch.breaches;
  delete from watch.replaced;
  delete from watch.late;
end $$;
