CREATE TABLE "tickmark"."attempt_traces" (
	"attempt_id" uuid PRIMARY KEY NOT NULL,
	"task_id" uuid NOT NULL,
	"status" text DEFAULT 'waiting' NOT NULL,
	"next_read_at" timestamp with time zone,
	"reads" integer DEFAULT 0 NOT NULL,
	"read_at" timestamp with time zone,
	"done_at" timestamp with time zone,
	"model_calls" integer,
	"expected_calls" integer,
	"model" text,
	"input_tokens" bigint,
	"cached_input_tokens" bigint,
	"cache_write_tokens" bigint,
	"output_tokens" bigint,
	"llm_cost_usd" numeric(24, 12),
	"priced_by" text,
	"callback_cost_usd" numeric(24, 12),
	"differs" boolean DEFAULT false NOT NULL,
	"error" text,
	CONSTRAINT "attempt_traces_status" CHECK ("tickmark"."attempt_traces"."status" in ('waiting', 'complete', 'incomplete', 'missing')),
	CONSTRAINT "attempt_traces_priced_by" CHECK ("tickmark"."attempt_traces"."priced_by" in ('run', 'price_table', 'server', 'mixed')),
	CONSTRAINT "attempt_traces_instants" CHECK ("tickmark"."attempt_traces"."next_read_at" between '1970-01-01Z' and '9999-12-31Z' and "tickmark"."attempt_traces"."read_at" between '1970-01-01Z' and '9999-12-31Z' and "tickmark"."attempt_traces"."done_at" between '1970-01-01Z' and '9999-12-31Z')
);
--> statement-breakpoint
ALTER TABLE "tickmark"."task_attempts" ADD COLUMN "trace_settled" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "attempt_traces_due" ON "tickmark"."attempt_traces" USING btree ("next_read_at") WHERE next_read_at is not null;--> statement-breakpoint
CREATE INDEX "attempt_traces_odd" ON "tickmark"."attempt_traces" USING btree ("done_at") WHERE differs or status in ('incomplete', 'missing');--> statement-breakpoint
-- A report that came too late to move its task still brings tokens and cost, and no event. Where its trace has been read
-- for good already, the two are compared once more.
create or replace function tickmark.note_late_report() returns trigger language plpgsql
set search_path = tickmark, pg_temp as $$
begin
  insert into usage_changes (task_id) select a.task_id from task_attempts a where a.id = new.attempt_id;
  update attempt_traces set next_read_at = clock_timestamp() where attempt_id = new.attempt_id and next_read_at is null;
  return null;
end $$;
