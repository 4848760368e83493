CREATE TABLE "tickmark"."usage_summed" (
	"grain" text NOT NULL,
	"start" timestamp with time zone NOT NULL,
	"generation" bigint NOT NULL,
	CONSTRAINT "usage_summed_grain_start_pk" PRIMARY KEY("grain","start"),
	CONSTRAINT "usage_summed_grain" CHECK ("tickmark"."usage_summed"."grain" in ('hour', 'day', 'month', 'all'))
);
