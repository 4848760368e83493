'use client';

import { Ban, CircleX, Clock, LoaderCircle, type LucideIcon } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import type { TaskDetail } from '@/lib/contract/api';
import { endsTheSame } from '@/lib/contract/error-codes';
import { cn } from '../../../_ui/cn';
import { explainError } from '../../../_ui/explain-error';
import { formatSeconds } from '../../../_ui/format/duration';
import { Progress } from '../../../_ui/progress';
import { useNow } from '../../../_ui/use-now';

/** What stands between the task and its result: why it waits, how far it is, or why there is none. */
export function TaskState({ task }: { readonly task: TaskDetail }) {
  switch (task.status) {
    case 'enqueued':
      return (
        <Notice icon={Clock} tone="text-enqueued" title="Why it is not running">
          {task.whyNotRunning ?? 'It is due and will be claimed within seconds.'}
        </Notice>
      );
    case 'processing':
      return <Running task={task} />;
    case 'failed': {
      const { title, advice } = explainError(task.errorCode ?? 'unknown', task.errorMessage);
      const detail = task.errorMessage && task.errorMessage !== advice ? task.errorMessage : null;
      return (
        <Notice icon={CircleX} tone="text-failed" title={title} code={task.errorCode}>
          {advice}
          {endsTheSame(task.errorCode) && (
            <Link href="/submit" className="ms-1.5 underline decoration-line-strong underline-offset-2">
              Submit a new copy
            </Link>
          )}
          {detail && <span className="mt-1 block break-words text-muted text-sm">{detail}</span>}
        </Notice>
      );
    }
    case 'cancelled':
      return (
        <Notice icon={Ban} tone="text-cancelled" title="Cancelled">
          Somebody stopped this task. What its runs cost is shown below.
        </Notice>
      );
    case 'completed':
      return null;
  }
}

const TICK_MS = 1_000;

function Running({ task }: { readonly task: TaskDetail }) {
  const now = useNow(TICK_MS);
  const attempt = task.attempts.find(({ current }) => current);
  const since = attempt?.dispatchedAt ?? attempt?.claimedAt ?? null;
  const elapsed = since ? Math.max(0, Math.round((now - Date.parse(since)) / 1000)) : null;
  const { progress } = task;
  return (
    <Notice
      icon={LoaderCircle}
      tone="text-processing animate-ring"
      title={task.cancelRequestedAt ? 'Stopping' : attempt?.dispatchedAt ? 'Running' : 'Claimed'}
    >
      <span className="tabular">
        {progress && progress.total > 0
          ? `Page ${progress.done} of ${progress.total}`
          : 'Reading the document'}
        {elapsed !== null && ` · for ${formatSeconds(elapsed)}`}
        {task.estimatedSeconds !== null && `, estimated ${formatSeconds(task.estimatedSeconds)}`}
      </span>
      {progress && progress.total > 0 && (
        <Progress label="Pages read" value={progress.done / progress.total} className="mt-2" />
      )}
    </Notice>
  );
}

interface NoticeProps {
  readonly icon: LucideIcon;
  readonly tone: string;
  readonly title: string;
  /** What the title is called in the API and in logs. */
  readonly code?: string | null;
  readonly children: ReactNode;
}

function Notice({ icon: Icon, tone, title, code, children }: NoticeProps) {
  return (
    <section aria-label="State" className="flex gap-3 rounded-md border border-line bg-surface p-4">
      <Icon aria-hidden className={cn('mt-0.5 size-4.5 shrink-0', tone)} />
      <div className="min-w-0 max-w-[75ch] grow">
        <h2 className="font-medium">
          {title} {code && <code className="font-mono font-normal text-muted text-xs">{code}</code>}
        </h2>
        <div>{children}</div>
      </div>
    </section>
  );
}
