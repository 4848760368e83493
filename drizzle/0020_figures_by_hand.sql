-- What the reading side needs of the database itself: how a task becomes a row of task_facts, which tasks have changed since
-- the roll-up has looked, and triggers that notice what somebody changes in psql. (Where it is used: lib/figures.)
--
-- Histogram keys. Response time and cost: DDSketch with a relative accuracy of 1 % (Masson, Rim, Lee: DDSketch, PVLDB 12(12),
-- 2019): a value x > 0 falls into bin ceil(log_γ x), γ = (1 + 0.01) / (1 − 0.01), and is told as 2 γ^bin / (γ + 1). Measures
-- share one histogram: keys are 1,000,000 (response seconds) and 2,000,000 (US dollars) plus the bin, zero being bin −100,000.
create function tickmark.sketch_key(measure integer, value float8) returns integer
language sql immutable parallel safe
return case
  when value <= 0 then measure * 1000000 - 100000
  else measure * 1000000 + ceil(ln(value) / ln(1.01::float8 / 0.99))::integer
end;
--> statement-breakpoint
-- Confidence has a linear scale where it matters: 3,000,000 plus thousandths from 0.05 on (so bars of 0.05 are exact), and
-- bins as above, which are negative there, below.
create function tickmark.confidence_key(value real) returns integer
language sql immutable parallel safe
return case
  when value::numeric >= 0.05 then 3000000 + floor(value::numeric * 1000)::integer
  else tickmark.sketch_key(3, value::float8)
end;
--> statement-breakpoint
-- A task as the row that it has, or should have, in task_facts; `search` is its text in task_search. The time of a run counts
-- once its attempt has ended.
create view tickmark.live_facts as
select t.id as task_id, t.created_at, t.agent_id, x.client, t.extraction_id, t.status, t.priority, t.finished_at,
  r.response_seconds, a.input_tokens, a.output_tokens, a.llm_cost_usd, a.priced_attempts, a.unpriced_attempts, a.waste_usd,
  a.run_seconds, t.confidence, t.error_code,
  array_remove(array[
    tickmark.sketch_key(1, r.response_seconds),
    tickmark.sketch_key(2, a.llm_cost_usd::float8),
    tickmark.confidence_key(t.confidence)
  ], null) as keys,
  concat_ws(E'\n', d.filename, t.error_code, t.error_message) as search
from tickmark.tasks t
left join tickmark.extractions x on x.id = t.extraction_id
left join tickmark.documents d on d.id = t.document_id
cross join lateral (
  select case when t.status = 'completed' then extract(epoch from t.finished_at - t.created_at)::float8 end as response_seconds
) r
cross join lateral (
  select
    coalesce(sum(o.input_tokens), 0) as input_tokens,
    coalesce(sum(o.output_tokens), 0) as output_tokens,
    sum(o.llm_cost_usd) as llm_cost_usd,
    count(o.llm_cost_usd)::integer as priced_attempts,
    (count(*) filter (
      where o.llm_cost_usd is null and coalesce(o.input_tokens, 0) + coalesce(o.output_tokens, 0) > 0
    ))::integer as unpriced_attempts,
    coalesce(sum(o.llm_cost_usd) filter (
      where o.status not in ('claimed', 'running') and not (o.status = 'succeeded' and t.status = 'completed')
    ), 0) as waste_usd,
    coalesce(sum(greatest(0, extract(epoch from o.finished_at - o.dispatched_at))), 0) as run_seconds
  from tickmark.task_attempts o
  where o.task_id = t.id
) a;
--> statement-breakpoint
-- Whether a row was written by a transaction that a snapshot did not see: its 32-bit `xmin`, taken as the one nearest to the
-- snapshot. A snapshot from the future, as after a restore into another server, has seen nothing.
create function tickmark.is_newer(written_by xid, seen pg_snapshot) returns boolean
language sql stable parallel safe
return case
  when pg_snapshot_xmax(seen) > pg_snapshot_xmax(pg_current_snapshot()) then true
  else not pg_visible_in_snapshot((
    pg_snapshot_xmax(seen)::text::bigint
    + (written_by::text::bigint - pg_snapshot_xmax(seen)::text::bigint % 4294967296 + 2147483648 + 4294967296) % 4294967296
    - 2147483648
  )::text::xid8, seen)
end;
--> statement-breakpoint
-- Tasks that changed after the roll-up had looked at task_events. Ids of events ascend, but they are committed out of order:
-- hence by transaction, not by id alone.
create function tickmark.changed_by_event() returns table (task_id uuid)
language sql stable rows 1000
begin atomic
  select e.task_id
  from tickmark.usage_state s
  join tickmark.task_events e on e.id > s.after_id
  where tickmark.is_newer(e.xmin, s.snapshot::pg_snapshot);
end;
--> statement-breakpoint
-- All that readers must take from its rows instead of task_facts and the sums: what has changed, and what is in flight, whose
-- tokens and cost grow without an event.
create function tickmark.changed_tasks() returns table (task_id uuid)
language sql stable rows 1000
begin atomic
  select c.task_id from tickmark.usage_changes c
  union
  select e.task_id from tickmark.changed_by_event() e
  union
  select t.id from tickmark.tasks t where t.status = 'processing';
end;
--> statement-breakpoint
-- Our own processes say that they are the queue (`tickmark.writer`, lib/db/client.ts) and leave an event for what they do; for
-- them these triggers are a comparison. What anybody else writes is noted.
create function tickmark.note_task_change() returns trigger language plpgsql
set search_path = tickmark, pg_temp as $$
begin
  if tg_op <> 'INSERT' then
    insert into usage_changes (task_id) values (old.id);
  end if;
  if tg_op = 'INSERT' or (tg_op = 'UPDATE' and new.id <> old.id) then
    insert into usage_changes (task_id) values (new.id);
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger tasks_note_change after insert or update on tickmark.tasks
for each row when (current_setting('tickmark.writer', true) is distinct from 'queue')
execute function tickmark.note_task_change();
--> statement-breakpoint
create trigger tasks_note_delete after delete on tickmark.tasks
for each row execute function tickmark.note_task_change();
--> statement-breakpoint
create function tickmark.note_attempt_change() returns trigger language plpgsql
set search_path = tickmark, pg_temp as $$
begin
  if tg_op <> 'INSERT' then
    insert into usage_changes (task_id) values (old.task_id);
  end if;
  if tg_op = 'INSERT' or (tg_op = 'UPDATE' and new.task_id <> old.task_id) then
    insert into usage_changes (task_id) values (new.task_id);
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger task_attempts_note_change after insert or update on tickmark.task_attempts
for each row when (current_setting('tickmark.writer', true) is distinct from 'queue')
execute function tickmark.note_attempt_change();
--> statement-breakpoint
create trigger task_attempts_note_delete after delete on tickmark.task_attempts
for each row execute function tickmark.note_attempt_change();
--> statement-breakpoint
-- A report that came too late to move its task still brings tokens and cost, and no event.
create function tickmark.note_late_report() returns trigger language plpgsql
set search_path = tickmark, pg_temp as $$
begin
  insert into usage_changes (task_id) select a.task_id from task_attempts a where a.id = new.attempt_id;
  return null;
end $$;
--> statement-breakpoint
create trigger callback_deliveries_note_late after insert on tickmark.callback_deliveries
for each row when (new.outcome <> 'applied')
execute function tickmark.note_late_report();
--> statement-breakpoint
create function tickmark.note_extraction_change() returns trigger language plpgsql
set search_path = tickmark, pg_temp as $$
begin
  insert into usage_changes (task_id) select t.id from tasks t where t.extraction_id = new.id;
  return null;
end $$;
--> statement-breakpoint
create trigger extractions_note_change after update of client on tickmark.extractions
for each row when (old.client is distinct from new.client)
execute function tickmark.note_extraction_change();
--> statement-breakpoint
create function tickmark.note_filename_change() returns trigger language plpgsql
set search_path = tickmark, pg_temp as $$
begin
  insert into usage_changes (task_id) select t.id from tasks t where t.document_id = new.id;
  return null;
end $$;
--> statement-breakpoint
create trigger documents_note_change after update of filename on tickmark.documents
for each row when (old.filename <> new.filename)
execute function tickmark.note_filename_change();
--> statement-breakpoint
create function tickmark.note_truncation() returns trigger language plpgsql
set search_path = tickmark, pg_temp as $$
begin
  insert into usage_changes (task_id) select f.task_id from task_facts f;
  return null;
end $$;
--> statement-breakpoint
create trigger tasks_note_truncation after truncate on tickmark.tasks
for each statement execute function tickmark.note_truncation();
--> statement-breakpoint
create trigger task_attempts_note_truncation after truncate on tickmark.task_attempts
for each statement execute function tickmark.note_truncation();
--> statement-breakpoint
alter table tickmark.task_facts set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
--> statement-breakpoint
alter table tickmark.usage_changes set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
--> statement-breakpoint
-- Some errors are those of failed tasks alone, and so on: without this the planner takes any error for as frequent in each status.
create statistics tickmark.task_facts_status (mcv, dependencies) on status, error_code, agent_id from tickmark.task_facts;
--> statement-breakpoint
-- Without the extension a search walks the list it is for; that is slow where little matches.
do $$
begin
  create extension if not exists pg_trgm schema tickmark;
  create index task_search_text on tickmark.task_search using gin (text tickmark.gin_trgm_ops);
  create index extractions_search on tickmark.extractions using gin (name tickmark.gin_trgm_ops);
exception when others then
  raise notice 'no index for searches: %', sqlerrm;
end $$;
--> statement-breakpoint
insert into tickmark.usage_state (snapshot, after_id)
values (pg_current_snapshot()::text, 0);
--> statement-breakpoint
-- What is there already: the roll-up counts it bit by bit, and readers take it from its rows until then.
insert into tickmark.usage_changes (task_id) select id from tickmark.tasks;
