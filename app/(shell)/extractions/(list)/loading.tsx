import { Skeleton, SkeletonRows } from '../../../_ui/skeleton';

export default function Loading() {
  return (
    <div role="status" aria-label="Loading">
      <Skeleton className="mb-6 h-7 w-40" />
      <SkeletonRows rows={10} />
    </div>
  );
}
