-- A task that a person put in `processing` has no attempt. When a person took it back to `enqueued`, that looked like the
-- sweeper's own step, and the history had a gap. Now such a task is locked by that person, which lib/queue ends with each
-- step back to `enqueued`, and a plain `update tasks set status = 'enqueued'` does not.
create or replace function tickmark.note_change_by_hand() returns trigger language plpgsql
set search_path = tickmark, pg_temp as $$
begin
  insert into task_events (task_id, attempt_id, from_status, to_status, actor, reason)
  values (new.id, old.current_attempt_id, old.status, new.status, 'sql:' || session_user, 'changed by hand');
  if new.status = 'processing' then
    new.in_flight_at := clock_timestamp();
    new.locked_by := 'sql:' || session_user;
  elsif new.status = 'enqueued' then
    new.locked_by := null;
  end if;
  return new;
end $$;
--> statement-breakpoint
drop trigger tasks_by_hand on tickmark.tasks;
--> statement-breakpoint
create trigger tasks_by_hand
before update of status on tickmark.tasks
for each row when (
  old.status is distinct from new.status
  and (
    (new.finished_at is not null) <> (new.status in ('completed', 'failed', 'cancelled'))
    or (new.status = 'processing') <> (new.current_attempt_id is not null)
    or (old.status in ('completed', 'failed', 'cancelled') and new.status in ('completed', 'failed', 'cancelled'))
    or (new.status = 'enqueued' and new.locked_by is not null)
  )
)
execute function tickmark.note_change_by_hand();
