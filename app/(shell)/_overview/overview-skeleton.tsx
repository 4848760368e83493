import { Skeleton } from '../../_ui/skeleton';

/** The room that the figures will take. */
export function OverviewSkeleton() {
  return (
    <div role="status" aria-label="Loading">
      <Skeleton className="h-3 w-full rounded-full" />
      <div className="mt-3 mb-6 grid grid-cols-3 gap-x-4 gap-y-3 sm:grid-cols-5 sm:gap-x-6">
        {['a', 'b', 'c', 'd', 'e'].map((key) => (
          <Skeleton key={key} className="h-12 w-24" />
        ))}
      </div>
      <div className="mb-6 grid grid-cols-2 gap-x-6 gap-y-5 border-line border-t pt-5 sm:grid-cols-3 lg:grid-cols-4 xl:grid-cols-7">
        {['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((key) => (
          <div key={key}>
            <Skeleton className="h-5 w-20" />
            <Skeleton className="my-1 h-6 w-24" />
            <Skeleton className="h-4 w-28" />
          </div>
        ))}
      </div>
      <ChartsSkeleton />
    </div>
  );
}

/** The room that the charts will take. */
export function ChartsSkeleton() {
  return (
    <div className="grid gap-x-10 gap-y-8 xl:grid-cols-2">
      {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
        <div key={key} className="border-line border-t pt-4">
          <Skeleton className="h-5 w-48" />
          <Skeleton className="mt-1.5 mb-2 h-4 w-72" />
          <Skeleton className="h-56 w-full" />
          <div className="mt-2 h-6" />
        </div>
      ))}
    </div>
  );
}
