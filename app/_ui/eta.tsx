'use client';

import type { Extraction } from '@/lib/contract/api';
import { formatRange } from './format/duration';
import { Unknown } from './unknown';
import { useNow } from './use-now';

const RENEW_MS = 5_000;

/** How long an extraction is likely to take still, as a range; a dash when it is over or nothing is known. */
export function Eta({ extraction }: { readonly extraction: Pick<Extraction, 'eta' | 'counts'> }) {
  const now = useNow(RENEW_MS);
  const { low, high } = extraction.eta;
  const open = extraction.counts.enqueued + extraction.counts.processing;
  if (open === 0) return <span className="text-muted">—</span>;
  if (low === null || high === null) return <Unknown why="Too few finished tasks to tell" />;
  const seconds = (at: string) => Math.max(1, (Date.parse(at) - now) / 1000);
  return <span className="tabular whitespace-nowrap">{formatRange(seconds(low), seconds(high))}</span>;
}
