'use client';

import { ArrowUpDown, Ban } from 'lucide-react';
import { useState } from 'react';
import { cancelTask, setTaskPriority } from '@/lib/api-client/actions';
import type { TaskDetail } from '@/lib/contract/api';
import { Button } from '../../../_ui/button';
import { Dialog } from '../../../_ui/dialog';
import { Field, Input } from '../../../_ui/input';
import { RetryButton } from './retry-button';
import { useTaskAction } from './use-task-action';

export interface TaskPermissions {
  readonly retry: boolean;
  readonly cancel: boolean;
  readonly prioritise: boolean;
}

interface TaskActionsProps {
  readonly task: TaskDetail;
  readonly may: TaskPermissions;
}

/** What may be done with a task in its present status. */
export function TaskActions({ task, may }: TaskActionsProps) {
  const over = task.status !== 'enqueued' && task.status !== 'processing';
  return (
    <>
      {may.prioritise && task.status === 'enqueued' && <PriorityButton task={task} />}
      {may.cancel && !over && !task.cancelRequestedAt && <CancelButton task={task} />}
      {may.retry && (task.status === 'failed' || task.status === 'cancelled') && <RetryButton task={task} />}
    </>
  );
}

function CancelButton({ task }: { readonly task: TaskDetail }) {
  const [asking, setAsking] = useState(false);
  const running = task.status === 'processing';
  const cancel = useTaskAction(
    task.id,
    () => cancelTask(task.id),
    running ? 'The run is being stopped' : 'The task is cancelled',
  );
  return (
    <>
      <Button onClick={() => setAsking(true)}>
        <Ban /> Cancel
      </Button>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title="Cancel this task?"
        description={
          running
            ? 'Its run is stopped within seconds. What it has cost so far stays on the bill.'
            : 'It ends at once and costs nothing more. It can be retried later.'
        }
        footer={
          <>
            <Button onClick={() => setAsking(false)}>Keep it</Button>
            <Button
              variant="danger"
              disabled={cancel.isPending}
              onClick={() => cancel.mutate(undefined, { onSettled: () => setAsking(false) })}
            >
              Cancel the task
            </Button>
          </>
        }
      />
    </>
  );
}

function PriorityButton({ task }: { readonly task: TaskDetail }) {
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState(String(task.priority));
  const valid = /^(\d{1,2}|100)$/.test(typed.trim());
  const change = useTaskAction(
    task.id,
    (priority: number) => setTaskPriority(task.id, priority),
    'The priority is changed',
  );
  const submit = () => {
    if (valid) change.mutate(Number(typed), { onSuccess: () => setOpen(false) });
  };
  return (
    <>
      <Button
        onClick={() => {
          setTyped(String(task.priority));
          setOpen(true);
        }}
      >
        <ArrowUpDown /> Priority {task.priority}
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Change the priority"
        description="Higher goes first. Among equals the oldest goes first."
        footer={
          <>
            <Button onClick={() => setOpen(false)}>Keep {task.priority}</Button>
            <Button variant="primary" disabled={!valid || change.isPending} onClick={submit}>
              Change
            </Button>
          </>
        }
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <Field
            label="Priority"
            hint="From 0 to 100"
            error={valid ? undefined : 'A whole number from 0 to 100'}
          >
            {(ids) => (
              <Input
                {...ids}
                inputMode="numeric"
                className="tabular w-24"
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
              />
            )}
          </Field>
        </form>
      </Dialog>
    </>
  );
}
