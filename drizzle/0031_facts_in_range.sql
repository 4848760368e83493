DROP INDEX "tickmark"."task_facts_by_created";--> statement-breakpoint
-- All that lists are sorted by, and the agent: the tasks of some weeks are read from the index alone and sorted.
CREATE INDEX "task_facts_by_created" ON "tickmark"."task_facts" USING btree ("created_at","task_id")
  INCLUDE ("status","priority","finished_at","response_seconds","llm_cost_usd","confidence","agent_id");
