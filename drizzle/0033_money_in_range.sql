ALTER TABLE "tickmark"."attempt_traces" ADD COLUMN "trace_id" text;--> statement-breakpoint
ALTER TABLE "tickmark"."attempt_traces" ADD COLUMN "other_trace_id" text;--> statement-breakpoint
CREATE INDEX "attempt_traces_by_trace" ON "tickmark"."attempt_traces" USING btree ("trace_id");--> statement-breakpoint
CREATE UNIQUE INDEX "attempt_traces_by_other_trace" ON "tickmark"."attempt_traces" USING btree ("other_trace_id");--> statement-breakpoint
-- What somebody wrote by hand before this was forbidden is not known, rather than a sum that no figure survives.
update tickmark.task_attempts set
  llm_cost_usd = case when llm_cost_usd >= 0 and llm_cost_usd < 1e12 then llm_cost_usd end,
  reported_cost_usd = case when reported_cost_usd >= 0 and reported_cost_usd < 1e12 then reported_cost_usd end,
  compute_cost_usd = case when abs(compute_cost_usd) < 1e12 then compute_cost_usd end
where not (llm_cost_usd >= 0 and llm_cost_usd < 1e12)
  or not (reported_cost_usd >= 0 and reported_cost_usd < 1e12)
  or not (abs(compute_cost_usd) < 1e12);
--> statement-breakpoint
ALTER TABLE "tickmark"."task_attempts" ADD CONSTRAINT "task_attempts_money" CHECK ("tickmark"."task_attempts"."llm_cost_usd" >= 0 and "tickmark"."task_attempts"."llm_cost_usd" < 1e12 and "tickmark"."task_attempts"."reported_cost_usd" >= 0 and "tickmark"."task_attempts"."reported_cost_usd" < 1e12 and abs("tickmark"."task_attempts"."compute_cost_usd") < 1e12) NOT VALID;
--> statement-breakpoint
alter table tickmark.task_attempts validate constraint task_attempts_money;
--> statement-breakpoint
-- What is no number has no place in a histogram, instead of stopping the figures of all others.
create or replace function tickmark.sketch_key(measure integer, value float8) returns integer
language sql immutable parallel safe
return case
  when value <= 0 then measure * 1000000 - 100000
  when value < 'Infinity' then measure * 1000000 + ceil(ln(value) / ln(1.01::float8 / 0.99))::integer
end;
--> statement-breakpoint
create or replace function tickmark.confidence_key(value real) returns integer
language sql immutable parallel safe
return case
  when not (value >= 0 and value <= 1) then null
  when value::numeric >= 0.05 then 3000000 + floor(value::numeric * 1000)::integer
  else tickmark.sketch_key(3, value::float8)
end;
