-- Tasks that are enqueued together look at the cursors once (0017) and not once each: a lane that is given is taken.
ALTER TABLE "tickmark"."tasks" ALTER COLUMN "claim_lane" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "tickmark"."tasks" ALTER COLUMN "claim_lane" DROP NOT NULL;--> statement-breakpoint
drop trigger tasks_take_claim_lane_new on tickmark.tasks;
--> statement-breakpoint
create trigger tasks_take_claim_lane_new
before insert on tickmark.tasks
for each row when (
  new.claim_lane is null and new.status = 'enqueued' and new.estimated_tokens is not null and new.parked is null
)
execute function tickmark.take_claim_lane();
