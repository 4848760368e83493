'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { taskListQuery } from '@/lib/api-client/queries';
import { ErrorState } from '../../../_ui/error-state';
import { SkeletonRows } from '../../../_ui/skeleton';
import { TaskTable } from '../../../_ui/task-table';
import { documentFilters } from './document-filters';

/** The documents of one extraction. */
export function DocumentTable({ extractionId }: { readonly extractionId: string }) {
  const query = useInfiniteQuery(taskListQuery(documentFilters(extractionId)));
  return (
    <section aria-labelledby="documents">
      <h2 id="documents" className="mb-1 font-medium text-lg">
        Documents
      </h2>
      {query.isPending ? (
        <SkeletonRows rows={6} />
      ) : query.data ? (
        <TaskTable
          tasks={query.data.pages.flatMap((page) => page.tasks)}
          more={query.hasNextPage ? () => void query.fetchNextPage() : null}
          loadingMore={query.isFetchingNextPage}
          empty="No document has been uploaded yet."
        />
      ) : (
        <ErrorState
          title="The documents could not be loaded"
          message={query.error.message}
          onRetry={() => void query.refetch()}
        />
      )}
    </section>
  );
}
