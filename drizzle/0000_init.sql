CREATE SCHEMA IF NOT EXISTS "tickmark";
--> statement-breakpoint
CREATE TYPE "tickmark"."attempt_status" AS ENUM('claimed', 'running', 'succeeded', 'failed', 'cancelled', 'lost', 'snoozed', 'superseded');--> statement-breakpoint
CREATE TYPE "tickmark"."task_status" AS ENUM('enqueued', 'processing', 'completed', 'failed', 'cancelled');--> statement-breakpoint
CREATE TABLE "tickmark"."agent_estimates" (
	"agent_id" text NOT NULL,
	"version" integer NOT NULL,
	"samples" integer NOT NULL,
	"tokens_per_page" double precision NOT NULL,
	"seconds_per_page" double precision NOT NULL,
	"text_token_factor" double precision NOT NULL,
	"text_seconds_factor" double precision NOT NULL,
	"scan_token_factor" double precision NOT NULL,
	"scan_seconds_factor" double precision NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "agent_estimates_agent_id_version_pk" PRIMARY KEY("agent_id","version")
);
--> statement-breakpoint
CREATE TABLE "tickmark"."agent_versions" (
	"agent_id" text NOT NULL,
	"version" integer NOT NULL,
	"definition" json NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "agent_versions_agent_id_version_pk" PRIMARY KEY("agent_id","version")
);
--> statement-breakpoint
CREATE TABLE "tickmark"."agents" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"current_version" integer DEFAULT 1 NOT NULL,
	"max_concurrent_tasks" integer,
	"max_tpm" integer,
	"lease_seconds" integer,
	"max_attempts" integer DEFAULT 3 NOT NULL,
	"max_run_seconds" integer DEFAULT 1800 NOT NULL,
	"retry_base_seconds" double precision DEFAULT 2 NOT NULL,
	"retry_factor" double precision DEFAULT 2 NOT NULL,
	"retry_cap_seconds" double precision DEFAULT 300 NOT NULL,
	"paused" boolean DEFAULT false NOT NULL,
	"draining_since" timestamp with time zone,
	"drained_at" timestamp with time zone,
	"fair" boolean DEFAULT false NOT NULL,
	"ageing_seconds" integer,
	"oversize" text DEFAULT 'run_alone' NOT NULL,
	"cooling_until" timestamp with time zone,
	"lowered_concurrent_tasks" integer,
	"lowered_tpm" integer,
	"lowered_from_tasks" integer,
	"lowered_at" timestamp with time zone,
	"lowered_reason" text,
	"adapted_at" timestamp with time zone,
	"estimate_version" integer,
	"estimate_token_error" real,
	"estimate_seconds_error" real,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "agents_limits" CHECK ("tickmark"."agents"."max_concurrent_tasks" >= 0 and "tickmark"."agents"."max_tpm" >= 1 and "tickmark"."agents"."lease_seconds" between 5 and 3600 and "tickmark"."agents"."max_attempts" between 1 and 100 and "tickmark"."agents"."max_run_seconds" between 1 and 86400),
	CONSTRAINT "agents_retry" CHECK ("tickmark"."agents"."retry_base_seconds" between 0 and 3600 and "tickmark"."agents"."retry_factor" between 1 and 10 and "tickmark"."agents"."retry_cap_seconds" between 0 and 86400),
	CONSTRAINT "agents_lowered" CHECK ("tickmark"."agents"."lowered_concurrent_tasks" between 1 and 1000000 and "tickmark"."agents"."lowered_from_tasks" between 0 and 1000000 and "tickmark"."agents"."lowered_tpm" >= 1),
	CONSTRAINT "agents_order" CHECK ("tickmark"."agents"."ageing_seconds" between 1 and 604800 and not ("tickmark"."agents"."fair" and "tickmark"."agents"."ageing_seconds" is not null)),
	CONSTRAINT "agents_oversize" CHECK ("tickmark"."agents"."oversize" in ('run_alone', 'hold'))
);
--> statement-breakpoint
CREATE TABLE "tickmark"."bulk_operation_tasks" (
	"operation_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"task_id" uuid NOT NULL,
	CONSTRAINT "bulk_operation_tasks_operation_id_position_pk" PRIMARY KEY("operation_id","position")
);
--> statement-breakpoint
CREATE TABLE "tickmark"."bulk_operations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"action" text NOT NULL,
	"priority" integer,
	"actor" text NOT NULL,
	"status" text DEFAULT 'waiting' NOT NULL,
	"total" integer NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"changed" integer DEFAULT 0 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"error_message" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"turn_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	CONSTRAINT "bulk_operations_action" CHECK ("tickmark"."bulk_operations"."action" in ('cancel', 'retry', 'reprioritise')),
	CONSTRAINT "bulk_operations_priority" CHECK (("tickmark"."bulk_operations"."priority" is not null) = ("tickmark"."bulk_operations"."action" = 'reprioritise') and "tickmark"."bulk_operations"."priority" between 0 and 100),
	CONSTRAINT "bulk_operations_status" CHECK ("tickmark"."bulk_operations"."status" in ('waiting', 'running', 'done', 'failed')),
	CONSTRAINT "bulk_operations_finished" CHECK (("tickmark"."bulk_operations"."finished_at" is not null) = ("tickmark"."bulk_operations"."status" in ('done', 'failed'))),
	CONSTRAINT "bulk_operations_progress" CHECK (0 <= "tickmark"."bulk_operations"."changed" and "tickmark"."bulk_operations"."changed" <= "tickmark"."bulk_operations"."done" and "tickmark"."bulk_operations"."done" <= "tickmark"."bulk_operations"."total")
);
--> statement-breakpoint
CREATE TABLE "tickmark"."clients" (
	"name" text PRIMARY KEY NOT NULL,
	"tier" text DEFAULT 'standard' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "clients_tier" CHECK ("tickmark"."clients"."tier" in ('standard', 'premium')),
	CONSTRAINT "clients_name_length" CHECK (length("tickmark"."clients"."name") between 1 and 200)
);
--> statement-breakpoint
CREATE TABLE "tickmark"."documents" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"extraction_id" uuid,
	"sha256" text NOT NULL,
	"filename" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"page_count" integer,
	"text_chars" integer,
	"inspecting_until" timestamp with time zone,
	"storage_uri" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "documents_size" CHECK ("tickmark"."documents"."size_bytes" > 0),
	CONSTRAINT "documents_instants" CHECK ("tickmark"."documents"."inspecting_until" between '1970-01-01Z' and '9999-12-31Z' and "tickmark"."documents"."created_at" between '1970-01-01Z' and '9999-12-31Z'),
	CONSTRAINT "documents_sha256" CHECK ("tickmark"."documents"."sha256" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "tickmark"."extractions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"client" text,
	"name" text NOT NULL,
	"agent_id" text NOT NULL,
	"priority" integer DEFAULT 50 NOT NULL,
	"submitted_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "extractions_priority_range" CHECK ("tickmark"."extractions"."priority" between 0 and 100),
	CONSTRAINT "extractions_instants" CHECK ("tickmark"."extractions"."created_at" between '1970-01-01Z' and '9999-12-31Z')
);
--> statement-breakpoint
CREATE TABLE "tickmark"."audit_log" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"subject" text NOT NULL,
	"details" jsonb
);
--> statement-breakpoint
CREATE TABLE "tickmark"."idempotency_keys" (
	"scope" text NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"status" integer,
	"body" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_scope_key_pk" PRIMARY KEY("scope","key")
);
--> statement-breakpoint
CREATE TABLE "tickmark"."model_prices" (
	"model" text NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"input_usd_per_million" numeric(24, 12) NOT NULL,
	"cached_input_usd_per_million" numeric(24, 12) NOT NULL,
	"cache_write_usd_per_million" numeric(24, 12) NOT NULL,
	"output_usd_per_million" numeric(24, 12) NOT NULL,
	"notional" boolean DEFAULT false NOT NULL,
	"source" text NOT NULL,
	CONSTRAINT "model_prices_model_valid_from_pk" PRIMARY KEY("model","valid_from")
);
--> statement-breakpoint
CREATE TABLE "tickmark"."settings" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"max_concurrent_tasks" integer,
	"max_tpm" integer,
	"count_recent_tokens" boolean DEFAULT true NOT NULL,
	"environment_id" text DEFAULT substr(replace(gen_random_uuid()::text, '-', ''), 1, 12) NOT NULL,
	"secret_fingerprint" text,
	"strays_checked_at" timestamp with time zone DEFAULT '-infinity' NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "settings_one_row" CHECK ("tickmark"."settings"."id" = 1),
	CONSTRAINT "settings_limits" CHECK ("tickmark"."settings"."max_concurrent_tasks" >= 0 and "tickmark"."settings"."max_tpm" >= 1)
);
--> statement-breakpoint
CREATE TABLE "tickmark"."workers" (
	"id" text PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"pid" integer NOT NULL,
	"version" text NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"heartbeat_at" timestamp with time zone DEFAULT now() NOT NULL,
	"session_pid" integer,
	"lost_at" timestamp with time zone,
	"loops" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"metrics" jsonb
);
--> statement-breakpoint
CREATE TABLE "tickmark"."callback_deliveries" (
	"attempt_id" uuid NOT NULL,
	"webhook_id" text NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"outcome" text NOT NULL,
	"stop" boolean NOT NULL,
	CONSTRAINT "callback_deliveries_attempt_id_webhook_id_pk" PRIMARY KEY("attempt_id","webhook_id"),
	CONSTRAINT "callback_deliveries_outcome" CHECK ("tickmark"."callback_deliveries"."outcome" in ('applied', 'noop', 'recorded'))
);
--> statement-breakpoint
CREATE TABLE "tickmark"."fair_flows" (
	"agent_id" text NOT NULL,
	"priority" integer NOT NULL,
	"flow" uuid NOT NULL,
	"last_rank" bigint NOT NULL,
	CONSTRAINT "fair_flows_agent_id_priority_flow_pk" PRIMARY KEY("agent_id","priority","flow"),
	CONSTRAINT "fair_flows_rank" CHECK ("tickmark"."fair_flows"."last_rank" between 0 and 1000000000000)
);
--> statement-breakpoint
CREATE TABLE "tickmark"."task_attempts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"task_id" uuid NOT NULL,
	"agent_id" text NOT NULL,
	"number" integer NOT NULL,
	"status" "tickmark"."attempt_status" DEFAULT 'claimed' NOT NULL,
	"agent_version" integer DEFAULT 1 NOT NULL,
	"claimed_by" text NOT NULL,
	"run_id" text,
	"dispatch_crashes" integer DEFAULT 0 NOT NULL,
	"trace_id" text,
	"model" text,
	"reserved_tokens" integer DEFAULT 0 NOT NULL,
	"reserved_tpm" integer DEFAULT 0 NOT NULL,
	"progress_done" integer,
	"progress_total" integer,
	"last_sign_at" timestamp with time zone,
	"claimed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"dispatched_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	"run_stopped_at" timestamp with time zone,
	"input_tokens" bigint,
	"cached_input_tokens" bigint,
	"cache_write_tokens" bigint,
	"output_tokens" bigint,
	"llm_cost_usd" numeric(24, 12),
	"reported_cost_usd" numeric(24, 12),
	"compute_cost_usd" numeric(24, 12),
	"usage" jsonb,
	"usage_final" boolean DEFAULT false NOT NULL,
	"result" jsonb,
	"error_code" text,
	"error_message" text,
	CONSTRAINT "task_attempts_number" UNIQUE("task_id","number"),
	CONSTRAINT "task_attempts_finished_when_over" CHECK (("tickmark"."task_attempts"."finished_at" is not null) = ("tickmark"."task_attempts"."status" not in ('claimed', 'running'))),
	CONSTRAINT "task_attempts_tokens" CHECK ("tickmark"."task_attempts"."input_tokens" >= 0 and "tickmark"."task_attempts"."output_tokens" >= 0 and "tickmark"."task_attempts"."cached_input_tokens" >= 0 and "tickmark"."task_attempts"."cache_write_tokens" >= 0),
	CONSTRAINT "task_attempts_instants" CHECK ("tickmark"."task_attempts"."claimed_at" between '1970-01-01Z' and '9999-12-31Z' and "tickmark"."task_attempts"."dispatched_at" between '1970-01-01Z' and '9999-12-31Z' and "tickmark"."task_attempts"."finished_at" between '1970-01-01Z' and '9999-12-31Z' and "tickmark"."task_attempts"."run_stopped_at" between '1970-01-01Z' and '9999-12-31Z' and "tickmark"."task_attempts"."last_sign_at" between '1970-01-01Z' and '9999-12-31Z')
);
--> statement-breakpoint
CREATE TABLE "tickmark"."task_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tickmark"."task_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"task_id" uuid NOT NULL,
	"attempt_id" uuid,
	"at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"from_status" "tickmark"."task_status",
	"to_status" "tickmark"."task_status",
	"actor" text NOT NULL,
	"reason" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tickmark"."tasks" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"extraction_id" uuid,
	"document_id" uuid,
	"agent_id" text NOT NULL,
	"status" "tickmark"."task_status" DEFAULT 'enqueued' NOT NULL,
	"priority" integer DEFAULT 50 NOT NULL,
	"attempt_count" integer DEFAULT 0 NOT NULL,
	"max_attempts" integer DEFAULT 3 NOT NULL,
	"lost_count" integer DEFAULT 0 NOT NULL,
	"last_attempt_number" integer DEFAULT 0 NOT NULL,
	"current_attempt_id" uuid,
	"locked_by" text,
	"lease_expires_at" timestamp with time zone,
	"available_at" timestamp with time zone DEFAULT now() NOT NULL,
	"estimated_tokens" integer,
	"estimated_seconds" real,
	"estimate_version" integer,
	"claim_rank" bigint DEFAULT 0 NOT NULL,
	"parked" text,
	"blocked_since" timestamp with time zone,
	"cancel_requested_at" timestamp with time zone,
	"input" jsonb,
	"result" jsonb,
	"confidence" real,
	"error_code" text,
	"error_message" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "tasks_priority_range" CHECK ("tickmark"."tasks"."priority" between 0 and 100),
	CONSTRAINT "tasks_finished_when_final" CHECK (("tickmark"."tasks"."finished_at" is not null) = ("tickmark"."tasks"."status" in ('completed', 'failed', 'cancelled'))),
	CONSTRAINT "tasks_current_attempt" CHECK ("tickmark"."tasks"."current_attempt_id" is null or "tickmark"."tasks"."status" = 'processing'),
	CONSTRAINT "tasks_parked" CHECK ("tickmark"."tasks"."parked" in ('later', 'held')),
	CONSTRAINT "tasks_attempt_counts" CHECK ("tickmark"."tasks"."attempt_count" between 0 and 1000000 and "tickmark"."tasks"."max_attempts" between 1 and 1000000 and "tickmark"."tasks"."lost_count" between 0 and 1000000 and "tickmark"."tasks"."last_attempt_number" between 0 and 1000000),
	CONSTRAINT "tasks_claim_rank" CHECK ("tickmark"."tasks"."claim_rank" between -20000000000000000 and 1000000000000),
	CONSTRAINT "tasks_confidence_range" CHECK ("tickmark"."tasks"."confidence" between 0 and 1),
	CONSTRAINT "tasks_estimates" CHECK ("tickmark"."tasks"."estimated_tokens" >= 0 and "tickmark"."tasks"."estimated_seconds" between 0 and 1000000000),
	CONSTRAINT "tasks_instants" CHECK ("tickmark"."tasks"."created_at" between '1970-01-01Z' and '9999-12-31Z' and "tickmark"."tasks"."available_at" between '1970-01-01Z' and '9999-12-31Z' and "tickmark"."tasks"."lease_expires_at" between '1970-01-01Z' and '9999-12-31Z' and "tickmark"."tasks"."blocked_since" between '1970-01-01Z' and '9999-12-31Z' and "tickmark"."tasks"."cancel_requested_at" between '1970-01-01Z' and '9999-12-31Z' and "tickmark"."tasks"."finished_at" between '1970-01-01Z' and '9999-12-31Z')
);
--> statement-breakpoint
ALTER TABLE "tickmark"."agent_estimates" ADD CONSTRAINT "agent_estimates_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "tickmark"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickmark"."agent_versions" ADD CONSTRAINT "agent_versions_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "tickmark"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickmark"."documents" ADD CONSTRAINT "documents_extraction_id_extractions_id_fk" FOREIGN KEY ("extraction_id") REFERENCES "tickmark"."extractions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickmark"."extractions" ADD CONSTRAINT "extractions_client_clients_name_fk" FOREIGN KEY ("client") REFERENCES "tickmark"."clients"("name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickmark"."extractions" ADD CONSTRAINT "extractions_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "tickmark"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickmark"."tasks" ADD CONSTRAINT "tasks_extraction_id_extractions_id_fk" FOREIGN KEY ("extraction_id") REFERENCES "tickmark"."extractions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickmark"."tasks" ADD CONSTRAINT "tasks_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "tickmark"."documents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickmark"."tasks" ADD CONSTRAINT "tasks_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "tickmark"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bulk_operations_open" ON "tickmark"."bulk_operations" USING btree ("turn_at" NULLS FIRST,"created_at") WHERE finished_at is null;--> statement-breakpoint
CREATE INDEX "documents_by_sha256" ON "tickmark"."documents" USING btree ("sha256");--> statement-breakpoint
CREATE INDEX "extractions_by_created" ON "tickmark"."extractions" USING btree ("created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "task_attempts_one_live" ON "tickmark"."task_attempts" USING btree ("task_id") WHERE finished_at is null;--> statement-breakpoint
CREATE INDEX "task_attempts_unstopped" ON "tickmark"."task_attempts" USING btree ("agent_id") WHERE finished_at is not null and run_stopped_at is null;--> statement-breakpoint
CREATE INDEX "task_attempts_recent" ON "tickmark"."task_attempts" USING btree ("agent_id",greatest(finished_at, run_stopped_at)) WHERE finished_at is not null;--> statement-breakpoint
CREATE INDEX "task_events_by_task" ON "tickmark"."task_events" USING btree ("task_id","id");--> statement-breakpoint
CREATE INDEX "tasks_claim" ON "tickmark"."tasks" USING btree ("agent_id",(case when claim_rank < 0 then 0 else priority end) desc,"claim_rank","created_at","id") WHERE status = 'enqueued' and estimated_tokens is not null and parked is null;--> statement-breakpoint
CREATE INDEX "tasks_parked_due" ON "tickmark"."tasks" USING btree ("parked","available_at") WHERE status = 'enqueued' and parked is not null;--> statement-breakpoint
CREATE INDEX "tasks_inspect" ON "tickmark"."tasks" USING btree ("priority" DESC NULLS FIRST,"created_at","id") WHERE status = 'enqueued' and estimated_tokens is null;--> statement-breakpoint
CREATE INDEX "tasks_processing" ON "tickmark"."tasks" USING btree ("agent_id") WHERE status = 'processing';--> statement-breakpoint
CREATE INDEX "tasks_by_extraction" ON "tickmark"."tasks" USING btree ("extraction_id","created_at","id") WHERE extraction_id is not null;--> statement-breakpoint
CREATE INDEX "tasks_by_created" ON "tickmark"."tasks" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "tasks_by_document" ON "tickmark"."tasks" USING btree ("document_id") WHERE document_id is not null;