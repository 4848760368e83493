import { Skeleton, SkeletonRows } from '../../_ui/skeleton';

export default function Loading() {
  return (
    <div role="status" aria-label="Loading">
      <Skeleton className="mb-6 h-7 w-40" />
      <Skeleton className="mb-8 h-16 w-full" />
      <SkeletonRows rows={8} />
    </div>
  );
}
