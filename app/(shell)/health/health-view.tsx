'use client';

import { useQuery } from '@tanstack/react-query';
import { healthQuery } from '@/lib/api-client/queries';
import { ErrorState } from '../../_ui/error-state';
import { PageHeader } from '../../_ui/page-header';
import { SkeletonRows } from '../../_ui/skeleton';
import { Time } from '../../_ui/time';
import { ConcernList } from './concern-list';
import { DatabasePanel } from './database-panel';
import { HealthFigures } from './health-figures';
import { WorkerList } from './worker-list';

/** How every part is: what needs a person first, then the figures behind it. */
export function HealthView() {
  const { data: health, error, isPending, refetch } = useQuery(healthQuery());
  return (
    <>
      <PageHeader
        title="Health"
        lead={
          health && (
            <>
              As of <Time at={health.at} detail="second" />
              {error && ', and could not be looked at since'}
            </>
          )
        }
      />
      {health ? (
        <div className="flex flex-col gap-8">
          <ConcernList concerns={health.concerns} />
          <HealthFigures health={health} />
          <WorkerList workers={health.workers} app={health.app} />
          <DatabasePanel database={health.database} />
        </div>
      ) : isPending ? (
        <SkeletonRows rows={8} />
      ) : (
        <ErrorState
          title="The state of the parts could not be read"
          message={`${error?.message ?? ''} Work that runs goes on. If the database is away, it comes back by itself once that does.`}
          onRetry={() => void refetch()}
        />
      )}
    </>
  );
}
