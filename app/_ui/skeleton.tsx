import { cn } from './cn';

/** A quiet place-holder of the size of what comes. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <span aria-hidden className={cn('block animate-pulse rounded-sm bg-line', className)} />;
}

/** Rows of a table that is on its way. */
export function SkeletonRows({ rows, className }: { readonly rows: number; readonly className?: string }) {
  return (
    <div aria-hidden className={cn('divide-y divide-line border-line border-y', className)}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: place-holders have no identity
        <div key={index} className="flex h-9 items-center gap-6 px-3">
          <Skeleton className="h-3 w-1/3" />
          <Skeleton className="h-3 w-20" />
          <Skeleton className="ms-auto h-3 w-16" />
        </div>
      ))}
    </div>
  );
}
