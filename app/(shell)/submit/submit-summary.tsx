'use client';

import Link from 'next/link';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../_ui/button';
import { formatBytes, formatCount } from '../../_ui/format/count';
import { formatSeconds } from '../../_ui/format/duration';
import { Progress } from '../../_ui/progress';
import { createRateMeter } from './transfer-rate';
import type { UploadTotals } from './upload-file';

/** How far the whole submission has come, with speed and time left. */
export function SendingSummary({ totals }: { readonly totals: UploadTotals }) {
  const rate = useRate(totals.sentBytes);
  const left = totals.bytes - totals.sentBytes;
  const over = totals.byState.sent + totals.byState.rejected + totals.byState.failed;
  return (
    <div className="flex flex-col gap-2">
      <Progress
        label="Sending all files"
        value={totals.bytes ? totals.sentBytes / totals.bytes : 0}
        className="h-1.5"
      />
      <p className="tabular flex flex-wrap justify-between gap-x-4 text-muted text-sm">
        <span>
          {formatCount(over)} of {formatCount(totals.files)} files ·{' '}
          {formatBytes(Math.round(totals.sentBytes))} of {formatBytes(totals.bytes)}
        </span>
        {rate !== null && rate > 0 && (
          <span>
            {formatBytes(Math.round(rate))}/s
            {left > 0 && ` · ${formatSeconds(Math.ceil(left / rate))} left`}
          </span>
        )}
      </p>
    </div>
  );
}

const MEASURE_MS = 1_000;

function useRate(sentBytes: number): number | null {
  const [rate, setRate] = useState<number | null>(null);
  const now = useRef(sentBytes);
  now.current = sentBytes;
  useEffect(() => {
    const measure = createRateMeter();
    measure(now.current, performance.now());
    const timer = setInterval(() => setRate(measure(now.current, performance.now())), MEASURE_MS);
    return () => clearInterval(timer);
  }, []);
  return rate;
}

interface EndedSummaryProps {
  readonly totals: UploadTotals;
  readonly extractionId: string;
  readonly onResume: () => void;
}

/** What became of the files when not all were taken. */
export function EndedSummary({ totals, extractionId, onResume }: EndedSummaryProps) {
  const { sent, rejected, failed } = totals.byState;
  return (
    <div role="status" className="flex flex-col gap-3">
      <p>
        {formatCount(sent)} of {formatCount(totals.files)} {totals.files === 1 ? 'file' : 'files'}{' '}
        {sent === 1 ? 'was taken and is' : 'were taken and are'} being worked on.
        {rejected > 0 &&
          ` ${formatCount(rejected)} ${rejected === 1 ? 'was not sent; the reason stands beside it' : 'were not sent; the reason stands beside each'}.`}
        {failed > 0 &&
          ` ${formatCount(failed)} ${failed === 1 ? 'was' : 'were'} interrupted and can be sent again.`}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button asChild variant="primary">
          <Link href={`/extractions/${extractionId}`}>Open the extraction</Link>
        </Button>
        {failed > 0 && <Button onClick={onResume}>Send {formatCount(failed)} again</Button>}
      </div>
    </div>
  );
}
