'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { agentHistoryQuery } from '@/lib/api-client/queries';
import type { AgentChange } from '@/lib/contract/api-agents';
import { Button } from '../../../_ui/button';
import { ErrorState } from '../../../_ui/error-state';
import { personName } from '../../../_ui/person-name';
import { SkeletonRows } from '../../../_ui/skeleton';
import { Time } from '../../../_ui/time';
import { settingLabel, settingValue } from '../setting-words';

/** Who changed what, when, from what to what; newest first. */
export function AgentHistory({ id }: { readonly id: string }) {
  const query = useInfiniteQuery(agentHistoryQuery(id));
  const changes = query.data?.pages.flatMap((page) => page.changes) ?? [];
  return (
    <section aria-labelledby="history">
      <h2 id="history" className="mb-2 font-medium text-lg">
        History
      </h2>
      {query.isPending ? (
        <SkeletonRows rows={3} />
      ) : query.error && !query.data ? (
        <ErrorState
          title="The history could not be loaded"
          message={query.error.message}
          onRetry={() => void query.refetch()}
        />
      ) : changes.length === 0 ? (
        <p className="text-muted">Nothing has been changed since this agent was set up.</p>
      ) : (
        <ol className="divide-y divide-line border-line border-y">
          {changes.map((change) => (
            <Change key={change.id} change={change} />
          ))}
        </ol>
      )}
      {query.hasNextPage && (
        <Button
          className="mt-3"
          disabled={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Show earlier ones
        </Button>
      )}
    </section>
  );
}

function Change({ change }: { readonly change: AgentChange }) {
  return (
    <li className="grid gap-x-6 gap-y-1 py-2.5 sm:grid-cols-[9rem_12rem_minmax(0,1fr)]">
      <Time at={change.at} detail="second" className="text-muted text-sm" />
      <span className="min-w-0 truncate text-sm" title={change.actor}>
        {actorWords(change.actor)}
        {change.agent === null && <span className="block text-muted">over all agents</span>}
      </span>
      <ul className="flex flex-col gap-0.5">
        {change.changes.map(({ setting, from, to }) => (
          <li key={setting} className="tabular flex flex-wrap items-center gap-x-2">
            <span className="text-muted">{settingLabel(setting)}</span>
            <span>{settingValue(setting, from)}</span>
            <ArrowRight role="img" aria-label="to" className="size-3.5 text-muted" />
            <span className="font-medium">{settingValue(setting, to)}</span>
          </li>
        ))}
      </ul>
    </li>
  );
}

function actorWords(actor: string): string {
  if (actor === 'start') return 'Start of Tickmark';
  return actor.startsWith('sql:') ? `${actor.slice(4)}, with SQL` : personName(actor);
}
