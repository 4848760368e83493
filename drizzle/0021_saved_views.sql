CREATE TABLE "tickmark"."saved_views" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"owner" text NOT NULL,
	"page" text NOT NULL,
	"name" text NOT NULL,
	"search" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "saved_views_page" CHECK ("tickmark"."saved_views"."page" in ('overview', 'tasks', 'spend')),
	CONSTRAINT "saved_views_lengths" CHECK (length("tickmark"."saved_views"."name") between 1 and 100 and length("tickmark"."saved_views"."search") <= 2000 and length("tickmark"."saved_views"."owner") <= 500)
);
--> statement-breakpoint
CREATE UNIQUE INDEX "saved_views_by_name" ON "tickmark"."saved_views" USING btree ("owner","page",lower(name));