import { TriangleAlert } from 'lucide-react';
import type { BulkPreview } from '@/lib/contract/api-bulk';
import { sameAgainWords } from './bulk-words';

interface SameAgainProps {
  /** Tasks that would be retried. */
  readonly count: number;
  readonly groups: BulkPreview['sameAgain'];
}

/** Says plainly for how many of them a retry is in vain, and why. */
export function SameAgain({ count, groups }: SameAgainProps) {
  const words = sameAgainWords(count, groups);
  if (words === null) return null;
  return (
    <p role="note" className="mb-3 flex gap-2 rounded-md border border-line bg-sunken px-3 py-2 text-sm">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-failed" />
      <span>{words}</span>
    </p>
  );
}
