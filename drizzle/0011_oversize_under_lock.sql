-- What is held for being over a budget is released when the rule changes. A claim that was under way, and held a task by
-- the rule before, committed just after that, and nobody released it any more. So this waits for claims, too, as a change
-- of a limit does.
drop trigger agents_lock_limits on tickmark.agents;
--> statement-breakpoint
create trigger agents_lock_limits
before update of max_concurrent_tasks, max_tpm, paused, oversize on tickmark.agents
for each row when (
  (old.max_concurrent_tasks, old.max_tpm, old.paused, old.oversize)
    is distinct from (new.max_concurrent_tasks, new.max_tpm, new.paused, new.oversize)
)
execute function tickmark.lock_agent_limits();
