import { Skeleton } from '../../../../_ui/skeleton';

/** The room that the document will take. */
export function PdfSkeleton() {
  return (
    <div role="status" aria-label="Loading the document" className="flex min-h-0 grow flex-col bg-sunken">
      <div className="h-[2.3125rem] shrink-0 pointer-coarse:h-[2.8125rem] border-line border-b bg-surface" />
      <div className="min-h-0 grow overflow-hidden p-3">
        <div className="mx-auto flex h-full flex-col gap-4 bg-surface p-[8%]">
          <Skeleton className="h-5 w-1/3" />
          <Skeleton className="h-3 w-1/2" />
          <Skeleton className="mt-10 h-3 w-full" />
          <Skeleton className="h-3 w-full" />
          <Skeleton className="h-3 w-2/3" />
        </div>
      </div>
    </div>
  );
}
