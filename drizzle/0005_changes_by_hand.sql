-- A status that somebody changes in psql belongs into the task's history, whatever it was before: until now only a
-- task that had a live attempt got its event.
--
-- What lib/queue writes is told from what a person writes by the columns that lib/queue sets in the same statement:
-- `finished_at` with every end, `current_attempt_id` exactly while processing; and it never turns one end into another.
-- A person who sets those columns as well is not noticed. The trigger's name puts it before tasks_keep_legal, which
-- makes the row legal and so takes away what tells them apart.
create function tickmark.note_change_by_hand() returns trigger language plpgsql
set search_path = tickmark, pg_temp as $$
begin
  insert into task_events (task_id, attempt_id, from_status, to_status, actor, reason)
  values (new.id, old.current_attempt_id, old.status, new.status, 'sql:' || session_user, 'changed by hand');
  return new;
end $$;
--> statement-breakpoint
create trigger tasks_by_hand
before update of status on tickmark.tasks
for each row when (
  old.status is distinct from new.status
  and (
    (new.finished_at is not null) <> (new.status in ('completed', 'failed', 'cancelled'))
    or (new.status = 'processing') <> (new.current_attempt_id is not null)
    or (old.status in ('completed', 'failed', 'cancelled') and new.status in ('completed', 'failed', 'cancelled'))
  )
)
execute function tickmark.note_change_by_hand();
--> statement-breakpoint
-- As before, but without the event, which the trigger above writes.
create or replace function tickmark.keep_task_legal() returns trigger language plpgsql
set search_path = tickmark, pg_temp as $$
begin
  if new.status in ('completed', 'failed', 'cancelled') then
    new.finished_at := coalesce(new.finished_at, clock_timestamp());
  else
    new.finished_at := null;
  end if;
  if new.document_id is null then
    -- Nobody inspects what is no document: without an estimate it would wait for ever.
    new.estimated_tokens := coalesce(new.estimated_tokens, 0);
  end if;
  if new.status = 'enqueued' then
    new.cancel_requested_at := null;
    if new.parked is null and new.available_at > clock_timestamp() then
      new.parked := 'later';
    end if;
  else
    new.parked := null;
  end if;
  if new.status <> 'processing' and new.current_attempt_id is not null then
    if tg_op = 'UPDATE' then
      update task_attempts
      set status = 'superseded', finished_at = clock_timestamp()
      where id = new.current_attempt_id and status in ('claimed', 'running');
    end if;
    new.current_attempt_id := null;
    new.lease_expires_at := null;
    if new.status = 'enqueued' then
      new.locked_by := null;
    end if;
  end if;
  return new;
end $$;
