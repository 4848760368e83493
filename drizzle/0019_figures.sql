CREATE TABLE "tickmark"."compute_costs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"filters" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"source" text NOT NULL,
	"compute_cost_usd" numeric(24, 12),
	"message" text,
	"requested_by" text NOT NULL,
	"requested_at" timestamp with time zone DEFAULT now() NOT NULL,
	"asking_until" timestamp with time zone,
	"ready_at" timestamp with time zone,
	CONSTRAINT "compute_costs_status" CHECK ("tickmark"."compute_costs"."status" in ('pending', 'ready', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "tickmark"."queue_samples" (
	"at" timestamp with time zone NOT NULL,
	"agent_id" text NOT NULL,
	"client" text NOT NULL,
	"waiting" integer NOT NULL,
	"in_flight" integer NOT NULL,
	"oldest_at" timestamp with time zone,
	CONSTRAINT "queue_samples_agent_id_at_client_pk" PRIMARY KEY("agent_id","at","client")
);
--> statement-breakpoint
CREATE TABLE "tickmark"."task_facts" (
	"task_id" uuid PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"agent_id" text NOT NULL,
	"client" text,
	"extraction_id" uuid,
	"status" "tickmark"."task_status" NOT NULL,
	"priority" integer NOT NULL,
	"finished_at" timestamp with time zone,
	"response_seconds" double precision,
	"input_tokens" numeric NOT NULL,
	"output_tokens" numeric NOT NULL,
	"llm_cost_usd" numeric,
	"priced_attempts" integer NOT NULL,
	"unpriced_attempts" integer NOT NULL,
	"waste_usd" numeric NOT NULL,
	"run_seconds" numeric NOT NULL,
	"confidence" real,
	"error_code" text,
	"keys" integer[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tickmark"."task_search" (
	"task_id" uuid PRIMARY KEY NOT NULL,
	"text" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tickmark"."usage_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tickmark"."usage_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"task_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tickmark"."usage_daily" (
	"level" smallint NOT NULL,
	"start" timestamp with time zone NOT NULL,
	"agent_id" text NOT NULL,
	"client" text NOT NULL,
	"status" "tickmark"."task_status" NOT NULL,
	"tasks" bigint NOT NULL,
	"input_tokens" numeric NOT NULL,
	"output_tokens" numeric NOT NULL,
	"llm_cost_usd" numeric NOT NULL,
	"priced_attempts" bigint NOT NULL,
	"unpriced_attempts" bigint NOT NULL,
	"waste_usd" numeric NOT NULL,
	"run_seconds" numeric NOT NULL,
	"confidence_sum" numeric NOT NULL,
	"confidence_count" bigint NOT NULL,
	"keys" integer[] NOT NULL,
	"counts" integer[] NOT NULL,
	CONSTRAINT "usage_daily_level_start_agent_id_client_status_pk" PRIMARY KEY("level","start","agent_id","client","status")
);
--> statement-breakpoint
CREATE TABLE "tickmark"."usage_hourly" (
	"level" smallint NOT NULL,
	"start" timestamp with time zone NOT NULL,
	"agent_id" text NOT NULL,
	"client" text NOT NULL,
	"status" "tickmark"."task_status" NOT NULL,
	"tasks" bigint NOT NULL,
	"input_tokens" numeric NOT NULL,
	"output_tokens" numeric NOT NULL,
	"llm_cost_usd" numeric NOT NULL,
	"priced_attempts" bigint NOT NULL,
	"unpriced_attempts" bigint NOT NULL,
	"waste_usd" numeric NOT NULL,
	"run_seconds" numeric NOT NULL,
	"confidence_sum" numeric NOT NULL,
	"confidence_count" bigint NOT NULL,
	"keys" integer[] NOT NULL,
	"counts" integer[] NOT NULL,
	CONSTRAINT "usage_hourly_level_start_agent_id_client_status_pk" PRIMARY KEY("level","start","agent_id","client","status")
);
--> statement-breakpoint
CREATE TABLE "tickmark"."usage_monthly" (
	"level" smallint NOT NULL,
	"start" timestamp with time zone NOT NULL,
	"agent_id" text NOT NULL,
	"client" text NOT NULL,
	"status" "tickmark"."task_status" NOT NULL,
	"tasks" bigint NOT NULL,
	"input_tokens" numeric NOT NULL,
	"output_tokens" numeric NOT NULL,
	"llm_cost_usd" numeric NOT NULL,
	"priced_attempts" bigint NOT NULL,
	"unpriced_attempts" bigint NOT NULL,
	"waste_usd" numeric NOT NULL,
	"run_seconds" numeric NOT NULL,
	"confidence_sum" numeric NOT NULL,
	"confidence_count" bigint NOT NULL,
	"keys" integer[] NOT NULL,
	"counts" integer[] NOT NULL,
	CONSTRAINT "usage_monthly_level_start_agent_id_client_status_pk" PRIMARY KEY("level","start","agent_id","client","status")
);
--> statement-breakpoint
CREATE TABLE "tickmark"."usage_stale" (
	"grain" text NOT NULL,
	"start" timestamp with time zone NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"touched_at" timestamp with time zone NOT NULL,
	CONSTRAINT "usage_stale_grain_start_pk" PRIMARY KEY("grain","start"),
	CONSTRAINT "usage_stale_grain" CHECK ("tickmark"."usage_stale"."grain" in ('hour', 'day', 'month'))
);
--> statement-breakpoint
CREATE TABLE "tickmark"."usage_state" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"snapshot" text NOT NULL,
	"after_id" bigint DEFAULT 0 NOT NULL,
	"next_after_id" bigint DEFAULT 0 NOT NULL,
	"next_xmax" text DEFAULT '0' NOT NULL,
	"next_at" timestamp with time zone DEFAULT now() NOT NULL,
	"folded_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sampled_at" timestamp with time zone DEFAULT '-infinity' NOT NULL,
	CONSTRAINT "usage_state_one_row" CHECK ("tickmark"."usage_state"."id" = 1)
);
--> statement-breakpoint
CREATE INDEX "compute_costs_by_filters" ON "tickmark"."compute_costs" USING btree ("filters","requested_at");--> statement-breakpoint
CREATE INDEX "task_facts_by_created" ON "tickmark"."task_facts" USING btree ("created_at","task_id");--> statement-breakpoint
CREATE INDEX "task_facts_by_client" ON "tickmark"."task_facts" USING btree ("client","created_at","task_id") WHERE client is not null;--> statement-breakpoint
CREATE INDEX "task_facts_by_extraction" ON "tickmark"."task_facts" USING btree ("extraction_id","created_at","task_id") WHERE extraction_id is not null;--> statement-breakpoint
CREATE INDEX "task_facts_by_error" ON "tickmark"."task_facts" USING btree ("error_code","created_at","task_id") WHERE error_code is not null;--> statement-breakpoint
CREATE INDEX "task_facts_sort_created" ON "tickmark"."task_facts" USING btree ("status","created_at","task_id");--> statement-breakpoint
CREATE INDEX "task_facts_sort_priority" ON "tickmark"."task_facts" USING btree ("status","priority","task_id");--> statement-breakpoint
CREATE INDEX "task_facts_sort_finished" ON "tickmark"."task_facts" USING btree ("status","finished_at","task_id") WHERE finished_at is not null;--> statement-breakpoint
CREATE INDEX "task_facts_sort_cost" ON "tickmark"."task_facts" USING btree ("status",(llm_cost_usd::float8),"task_id") WHERE llm_cost_usd is not null;--> statement-breakpoint
CREATE INDEX "task_facts_sort_latency" ON "tickmark"."task_facts" USING btree ("status","response_seconds","task_id") WHERE response_seconds is not null;--> statement-breakpoint
CREATE INDEX "task_facts_sort_confidence" ON "tickmark"."task_facts" USING btree ("status","confidence","task_id") WHERE confidence is not null;--> statement-breakpoint
CREATE INDEX "task_facts_not_finished" ON "tickmark"."task_facts" USING btree ("status","task_id") WHERE finished_at is null;--> statement-breakpoint
CREATE INDEX "task_facts_without_cost" ON "tickmark"."task_facts" USING btree ("status","task_id") WHERE llm_cost_usd is null;--> statement-breakpoint
CREATE INDEX "task_facts_without_latency" ON "tickmark"."task_facts" USING btree ("status","task_id") WHERE response_seconds is null;--> statement-breakpoint
CREATE INDEX "task_facts_without_confidence" ON "tickmark"."task_facts" USING btree ("status","task_id") WHERE confidence is null;