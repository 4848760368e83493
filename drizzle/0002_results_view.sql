create view tickmark.results as
select id as task_id, document_id, agent_id, result, confidence, finished_at
from tickmark.tasks
where status = 'completed';
--> statement-breakpoint
comment on view tickmark.results is
  'Results of completed tasks. It reads with its owner''s rights, so that a report needs a grant on this view and on nothing else: grant usage on schema tickmark to reader; grant select on tickmark.results to reader';
