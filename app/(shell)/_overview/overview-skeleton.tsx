import { Skeleton } from '../../_ui/skeleton';

/** The room that the figures will take. */
export function OverviewSkeleton() {
  return (
    <div role="status" aria-label="Loading">
      <Skeleton className="mb-4 h-3 w-full rounded-full" />
      <div className="grid grid-cols-2 gap-6 py-6 sm:grid-cols-3 xl:grid-cols-6">
        {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
          <div key={key}>
            <Skeleton className="mb-2 h-3 w-20" />
            <Skeleton className="h-7 w-24" />
          </div>
        ))}
      </div>
      <Skeleton className="h-64 w-full" />
    </div>
  );
}
