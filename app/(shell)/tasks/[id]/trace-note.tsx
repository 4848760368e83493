import { ExternalLink, TriangleAlert } from 'lucide-react';
import type { AttemptTrace } from '@/lib/contract/api';
import { Money } from '../../../_ui/money';
import { Tokens } from '../../../_ui/tokens';

const WORDS: Record<AttemptTrace['status'], string> = {
  waiting: 'Tokens and cost are what the agent reports, until its trace is whole.',
  complete: 'Tokens and cost are those of its trace.',
  incomplete: 'Parts of its trace never arrived: tokens and cost are what the agent reported.',
  missing: 'Its trace never arrived: tokens and cost are what the agent reported.',
};

/** Where an attempt's figures come from, with a link to its trace; both figures where the two say different things. */
export function TraceNote({ trace, notional }: { readonly trace: AttemptTrace; readonly notional: boolean }) {
  return (
    <div className="mt-2 text-muted text-xs">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span>{WORDS[trace.status]}</span>
        {trace.url && (
          <a
            href={trace.url}
            target="_blank"
            rel="noreferrer"
            className="inline-flex items-baseline gap-1 text-accent underline-offset-2 hover:underline"
          >
            Open the trace
            <ExternalLink aria-hidden className="size-3 self-center" />
          </a>
        )}
      </p>
      {trace.differs && trace.reported && (
        <div className="mt-1.5 rounded-sm border border-line-strong px-2.5 py-1.5 text-text">
          <p className="flex items-center gap-1.5 font-medium">
            <TriangleAlert aria-hidden className="size-3.5" />
            The agent’s report and its trace differ
          </p>
          <table className="mt-1 tabular">
            <thead className="text-muted">
              <tr>
                <th scope="col" className="pr-4 text-left font-normal">
                  <span className="sr-only">Source</span>
                </th>
                <th scope="col" className="pr-4 text-right font-normal">
                  Input
                </th>
                <th scope="col" className="pr-4 text-right font-normal">
                  Output
                </th>
                <th scope="col" className="text-right font-normal">
                  Cost
                </th>
              </tr>
            </thead>
            <tbody>
              <Row label="Trace, counted" figures={trace} notional={notional} />
              <Row label="Report" figures={trace.reported} notional={notional} />
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}

interface RowProps {
  readonly label: string;
  readonly figures: Pick<AttemptTrace, 'inputTokens' | 'outputTokens' | 'llmCostUsd'>;
  readonly notional: boolean;
}

function Row({ label, figures, notional }: RowProps) {
  return (
    <tr>
      <th scope="row" className="pr-4 text-left font-normal">
        {label}
      </th>
      <td className="pr-4 text-right">
        <Tokens count={figures.inputTokens} />
      </td>
      <td className="pr-4 text-right">
        <Tokens count={figures.outputTokens} />
      </td>
      <td className="text-right">
        <Money usd={figures.llmCostUsd} notional={notional} />
      </td>
    </tr>
  );
}
