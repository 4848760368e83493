CREATE TABLE "tickmark"."app_roles" (
	"subject" text PRIMARY KEY NOT NULL,
	"role" text NOT NULL,
	"set_by" text NOT NULL,
	"set_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "app_roles_role" CHECK ("tickmark"."app_roles"."role" in ('auditor', 'operator', 'admin'))
);
--> statement-breakpoint
ALTER TABLE "tickmark"."settings" ADD COLUMN "home" text;