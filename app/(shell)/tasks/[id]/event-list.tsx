'use client';

import type { TaskEvent } from '@/lib/contract/api';
import { formatSeconds } from '../../../_ui/format/duration';
import { personName } from '../../../_ui/person-name';
import { STATUS_LOOK } from '../../../_ui/status';
import { Time } from '../../../_ui/time';

/** Every transition and what else belongs to the story, oldest first. */
export function EventList({ events }: { readonly events: readonly TaskEvent[] }) {
  return (
    <section aria-labelledby="events">
      <h2 id="events" className="mb-2 font-medium text-lg">
        What happened
      </h2>
      <ol className="relative flex flex-col before:absolute before:top-2 before:bottom-2 before:left-[3.5px] before:w-px before:bg-line">
        {events.map((event, index) => (
          <li key={event.id} className="relative flex gap-3 py-1 ps-5">
            <span
              aria-hidden
              className={`absolute top-[0.7rem] left-0 size-2 rounded-full ring-2 ring-bg ${dotOf(event)}`}
            />
            <Time at={event.at} detail="clock" className="w-16 shrink-0 text-muted text-sm" />
            <span className="min-w-0 grow">
              <span className="break-words">{sentenceOf(event)}</span>{' '}
              <span className="text-muted text-sm">
                {actorWords(event.actor)}
                <Gap from={events[index - 1]?.at} to={event.at} />
              </span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Below this, two events are one moment to a person. */
const MOMENT_MS = 1_000;

/** How long after the event before it came. */
function Gap({ from, to }: { readonly from: string | undefined; readonly to: string }) {
  const ms = from === undefined ? 0 : Date.parse(to) - Date.parse(from);
  if (ms < MOMENT_MS) return null;
  return <span className="tabular whitespace-nowrap"> · {formatSeconds(ms / 1000)} later</span>;
}

function dotOf(event: TaskEvent): string {
  return event.toStatus && event.toStatus !== event.fromStatus
    ? STATUS_LOOK[event.toStatus].fill
    : 'bg-line-strong';
}

/** Reasons that the status says already. */
const SAID_BY_STATUS = new Set(['enqueued', 'claimed', 'succeeded', 'completed', 'failed', 'cancelled']);

function sentenceOf(event: TaskEvent): string {
  const { toStatus, fromStatus } = event;
  const reason = event.reason.replaceAll('_', ' ').trim();
  if (!toStatus || toStatus === fromStatus) return capital(reason) || 'Noted';
  const word = STATUS_LOOK[toStatus].word;
  return reason === '' || SAID_BY_STATUS.has(reason.toLowerCase()) ? word : `${word}: ${reason}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const PROCESSES: Record<string, string> = {
  worker: 'by a worker',
  agent: 'by the agent',
  sweeper: 'by the sweeper',
  inspect: 'by the inspection',
  sql: 'in the database',
};

/** Who did it: a person by name, a process by its part. */
function actorWords(actor: string): string {
  if (actor.startsWith('user:')) return `by ${personName(actor)}`;
  const [part = actor] = actor.split(':');
  return PROCESSES[part] ?? `by ${part}`;
}
