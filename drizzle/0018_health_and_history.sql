CREATE TABLE "tickmark"."agent_history" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tickmark"."agent_history_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"agent_id" text,
	"at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"actor" text NOT NULL,
	"changes" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tickmark"."bulk_undo" (
	"operation_id" uuid NOT NULL,
	"task_id" uuid NOT NULL,
	"priority" integer NOT NULL,
	CONSTRAINT "bulk_undo_operation_id_task_id_pk" PRIMARY KEY("operation_id","task_id")
);
--> statement-breakpoint
ALTER TABLE "tickmark"."bulk_operations" DROP CONSTRAINT "bulk_operations_priority";--> statement-breakpoint
ALTER TABLE "tickmark"."bulk_operations" ADD COLUMN "undoes" uuid;--> statement-breakpoint
ALTER TABLE "tickmark"."workers" ADD COLUMN "schema_version" bigint;--> statement-breakpoint
ALTER TABLE "tickmark"."agent_history" ADD CONSTRAINT "agent_history_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "tickmark"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agent_history_by_agent" ON "tickmark"."agent_history" USING btree ("agent_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "bulk_operations_undo" ON "tickmark"."bulk_operations" USING btree ("undoes") WHERE undoes is not null and status <> 'failed';--> statement-breakpoint
ALTER TABLE "tickmark"."bulk_operations" ADD CONSTRAINT "bulk_operations_undoes" CHECK ("tickmark"."bulk_operations"."undoes" is null or "tickmark"."bulk_operations"."action" in ('retry', 'reprioritise'));--> statement-breakpoint
ALTER TABLE "tickmark"."bulk_operations" ADD CONSTRAINT "bulk_operations_priority" CHECK (("tickmark"."bulk_operations"."priority" is not null) = ("tickmark"."bulk_operations"."action" = 'reprioritise' and "tickmark"."bulk_operations"."undoes" is null) and "tickmark"."bulk_operations"."priority" between 0 and 100);--> statement-breakpoint
-- What an operator sets of an agent, by the names that the API has for it.
create function tickmark.agent_settings(a tickmark.agents) returns jsonb
language sql stable
return jsonb_build_object(
  'maxConcurrentTasks', a.max_concurrent_tasks, 'maxTpm', a.max_tpm, 'leaseSeconds', a.lease_seconds,
  'maxAttempts', a.max_attempts, 'maxRunSeconds', a.max_run_seconds, 'retryBaseSeconds', a.retry_base_seconds,
  'retryFactor', a.retry_factor, 'retryCapSeconds', a.retry_cap_seconds, 'paused', a.paused,
  'draining', a.draining_since is not null, 'oversize', a.oversize, 'fair', a.fair, 'ageingSeconds', a.ageing_seconds
);
--> statement-breakpoint
-- Who: as the app says in `tickmark.actor`, else whoever is signed in at the database.
create function tickmark.note_settings_change(agent text, before jsonb, after jsonb) returns void
language sql
set search_path = tickmark, pg_temp
begin atomic
  insert into tickmark.agent_history (agent_id, actor, changes)
  select agent, coalesce(nullif(current_setting('tickmark.actor', true), ''), 'sql:' || session_user),
    jsonb_object_agg(n.key, jsonb_build_object('from', before -> n.key, 'to', n.value))
  from jsonb_each(after) n
  where n.value is distinct from before -> n.key
  having count(*) > 0;
end;
--> statement-breakpoint
create function tickmark.note_agent_change() returns trigger language plpgsql
set search_path = tickmark, pg_temp as $$
begin
  perform note_settings_change(new.id, agent_settings(old), agent_settings(new));
  return null;
end $$;
--> statement-breakpoint
-- Fires for the columns that people set; what the queue writes of an agent by itself (cooling, lowered limits, estimates)
-- is in none of them and pays nothing.
create trigger agents_history
after update of max_concurrent_tasks, max_tpm, lease_seconds, max_attempts, max_run_seconds, retry_base_seconds, retry_factor,
  retry_cap_seconds, paused, draining_since, oversize, fair, ageing_seconds
on tickmark.agents
for each row execute function tickmark.note_agent_change();
--> statement-breakpoint
create function tickmark.note_ceilings_change() returns trigger language plpgsql
set search_path = tickmark, pg_temp as $$
begin
  perform note_settings_change(
    null,
    jsonb_build_object('maxConcurrentTasks', old.max_concurrent_tasks, 'maxTpm', old.max_tpm),
    jsonb_build_object('maxConcurrentTasks', new.max_concurrent_tasks, 'maxTpm', new.max_tpm)
  );
  return null;
end $$;
--> statement-breakpoint
create trigger settings_history
after update of max_concurrent_tasks, max_tpm on tickmark.settings
for each row execute function tickmark.note_ceilings_change();
