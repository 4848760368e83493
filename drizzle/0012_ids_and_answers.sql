ALTER TABLE "tickmark"."task_attempts" ALTER COLUMN "id" SET DEFAULT tickmark.new_id();--> statement-breakpoint
ALTER TABLE "tickmark"."tasks" ALTER COLUMN "id" SET DEFAULT tickmark.new_id();--> statement-breakpoint
ALTER TABLE "tickmark"."task_attempts" ADD COLUMN "completed_by" text;