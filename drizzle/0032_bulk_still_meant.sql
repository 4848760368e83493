ALTER TABLE "tickmark"."bulk_operations" ADD COLUMN "only_statuses" text[];--> statement-breakpoint
ALTER TABLE "tickmark"."bulk_operations" ADD COLUMN "only_error_codes" text[];