'use client';

import type { Extraction } from '@/lib/contract/api';
import { Eta } from '../../../_ui/eta';
import { formatCount, formatPercent } from '../../../_ui/format/count';
import { Money } from '../../../_ui/money';
import { SegmentedBar } from '../../../_ui/segmented-bar';
import { STATUS_LOOK, STATUSES, totalOf } from '../../../_ui/status';
import { StatusBadge } from '../../../_ui/status-badge';

/** Progress, large: the share that is final, the bar, the counts, and what is left. */
export function ProgressPanel({ extraction }: { readonly extraction: Extraction }) {
  const { counts } = extraction;
  const total = totalOf(counts);
  const open = counts.enqueued + counts.processing;
  return (
    <section aria-label="Progress" className="mb-8 border-line border-y py-5">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-8 gap-y-2">
        <p className="tabular font-semibold text-2xl tracking-tight">
          {formatPercent(extraction.progress)}
          <span className="ms-2.5 font-normal text-base text-muted tracking-normal">
            {total === 0
              ? 'no documents yet'
              : open === 0
                ? `${formatCount(total)} ${total === 1 ? 'document' : 'documents'}, all final`
                : `${formatCount(total - open)} of ${formatCount(total)} documents final`}
          </span>
        </p>
        <dl className="flex gap-8">
          <div>
            <dt className="text-muted text-xs">Time left</dt>
            <dd>
              <Eta extraction={extraction} />
            </dd>
          </div>
          <div>
            <dt className="text-muted text-xs">LLM cost</dt>
            <dd>
              <Money usd={extraction.llmCostUsd} why="Nothing with a known price has been used yet" />
            </dd>
          </div>
        </dl>
      </div>
      <SegmentedBar counts={counts} size="lg" />
      <ul className="mt-3 flex flex-wrap gap-x-6 gap-y-1.5">
        {STATUSES.map((status) => (
          <li key={status} className="flex items-center gap-1.5">
            <StatusBadge status={status} word={STATUS_LOOK[status].word} className="font-normal text-sm" />
            <span className="tabular font-medium">{formatCount(counts[status])}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
