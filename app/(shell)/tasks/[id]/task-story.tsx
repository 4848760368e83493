'use client';

import type { TaskDetail } from '@/lib/contract/api';
import { AttemptCard } from './attempt-card';
import { EventList } from './event-list';
import { RawResult } from './raw-result';
import { UsagePanel } from './usage-panel';

/** How it came about, from top to bottom: what it cost, each attempt, each event. */
export function TaskStory({ task }: { readonly task: TaskDetail }) {
  return (
    <>
      <UsagePanel task={task} />
      <section aria-labelledby="attempts">
        <h2 id="attempts" className="mb-2 font-medium text-lg">
          Attempts{' '}
          <span className="tabular font-normal text-base text-muted">
            {task.attemptCount} of at most {task.maxAttempts}
          </span>
        </h2>
        {task.attempts.length === 0 ? (
          <p className="text-muted">{nothingRan(task)}</p>
        ) : (
          <ol className="flex flex-col gap-2">
            {task.attempts.map((attempt) => (
              <AttemptCard key={attempt.id} task={task} attempt={attempt} />
            ))}
          </ol>
        )}
      </section>
      <EventList events={task.events} />
      {task.result !== null && <RawResult result={task.result} />}
    </>
  );
}

function nothingRan({ status }: TaskDetail): string {
  if (status === 'failed') return 'Nothing was run: the document was turned away when it was looked at.';
  return status === 'cancelled' ? 'Nothing was run: it was cancelled before.' : 'Nothing has run yet.';
}
