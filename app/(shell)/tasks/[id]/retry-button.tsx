'use client';

import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { retryTask } from '@/lib/api-client/actions';
import type { TaskDetail } from '@/lib/contract/api';
import { endsTheSame } from '@/lib/contract/error-codes';
import { Button } from '../../../_ui/button';
import { Dialog } from '../../../_ui/dialog';
import { explainError } from '../../../_ui/explain-error';
import { useTaskAction } from './use-task-action';

/** Runs the task again: at once where that may help, else only after it was said that it will not. */
export function RetryButton({ task }: { readonly task: TaskDetail }) {
  const [asking, setAsking] = useState(false);
  const retry = useTaskAction(task.id, () => retryTask(task.id), 'The task will run again');
  const inVain = task.status === 'failed' && endsTheSame(task.errorCode);
  const { title, advice } = explainError(task.errorCode ?? 'unknown', task.errorMessage);
  return (
    <>
      <Button
        variant={inVain ? 'secondary' : 'primary'}
        disabled={retry.isPending}
        onClick={() => (inVain ? setAsking(true) : retry.mutate(undefined))}
      >
        <RotateCw /> Retry
      </Button>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title="A retry changes nothing here"
        description={`${title}: the document itself is the cause, and is read again as it is. ${advice}`}
        footer={
          <>
            <Button variant="primary" onClick={() => setAsking(false)}>
              Leave it
            </Button>
            <Button
              disabled={retry.isPending}
              onClick={() => retry.mutate(undefined, { onSettled: () => setAsking(false) })}
            >
              Retry all the same
            </Button>
          </>
        }
      />
    </>
  );
}
