'use client';

import { SearchX, TriangleAlert } from 'lucide-react';
import type { TaskDetail } from '@/lib/contract/api';
import type { Result } from '@/lib/contract/result';
import { foundNothing } from '@/lib/contract/result-checks';
import { ConfidenceBar } from '../../../_ui/confidence-bar';
import { ConfidenceHelp } from '../../../_ui/confidence-help';
import { ChecksPanel } from './checks-panel';
import { fieldLabel } from './field-label';
import { FieldRow } from './field-row';
import { LineTable } from './line-table';
import type { Linking } from './linking';

interface ResultPanelProps {
  readonly task: TaskDetail;
  readonly result: Result;
  readonly linking: Linking;
}

/** What the agent found: single values first, then tables, then what is to be checked. */
export function ResultPanel({ task, result, linking }: ResultPanelProps) {
  const currency = currencyOf(result);
  const tables = result.fields.filter((field) => isTable(field.value));
  const single = result.fields.filter((field) => !isTable(field.value));
  return (
    <>
      {foundNothing(result) && <NothingFound pages={task.pageCount} />}
      <section aria-labelledby="fields">
        <div className="mb-1 flex items-baseline justify-between gap-4">
          <h2 id="fields" className="font-medium text-lg">
            {result.documentType ? fieldLabel(result.documentType) : 'Result'}
          </h2>
          <span className="flex items-center gap-1">
            <ConfidenceBar value={task.confidence} why="Nothing was found" />
            <ConfidenceHelp />
          </span>
        </div>
        {single.length === 0 && <p className="py-4 text-muted">The agent returned no fields.</p>}
        <ul className="border-line border-t">
          {single.map((field) => (
            <FieldRow key={field.name} field={field} currency={currency} linking={linking} />
          ))}
        </ul>
        {result.documentType === 'financial-report' && (
          <p className="mt-2 text-muted text-sm">
            Amounts stand as printed. Reports often give them in thousands or millions: look at the page.
          </p>
        )}
      </section>
      {tables.map((field) => (
        <LineTable key={field.name} field={field} currency={currency} linking={linking} />
      ))}
      <ChecksPanel result={result} />
      {result.warnings.length > 0 && (
        <section aria-labelledby="warnings">
          <h2 id="warnings" className="mb-2 font-medium text-lg">
            Warnings
          </h2>
          <ul className="flex flex-col gap-1.5">
            {result.warnings.map((warning) => (
              <li key={`${warning.code}:${warning.message}`} className="flex gap-2.5">
                <TriangleAlert aria-hidden className="mt-1 size-3.5 shrink-0 text-muted" />
                <span className="min-w-0 break-words">{warning.message || fieldLabel(warning.code)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** Completed is not the same as successful: it must not be taken for done unseen. */
function NothingFound({ pages }: { readonly pages: number | null }) {
  return (
    <section aria-label="No confidence" className="flex gap-3 rounded-md border border-line bg-surface p-4">
      <SearchX aria-hidden className="mt-0.5 size-4.5 shrink-0 text-muted" />
      <div className="max-w-[75ch]">
        <h2 className="font-medium">No confidence: nothing was found</h2>
        <p>
          The agent read {pages === 1 ? 'the page' : 'the pages'} and found none of the values that it looks
          for. The document may be of another kind, or too poor to read. Look at it, and submit it again with
          another agent or as a better copy.
        </p>
      </div>
    </section>
  );
}

// A report's figures keep the unit of their page (often millions), so the currency alone would be untrue beside them.
function currencyOf(result: Result): string | null {
  if (result.documentType === 'financial-report') return null;
  const value = result.fields.find((field) => field.name === 'currency')?.value;
  return typeof value === 'string' ? value : null;
}

function isTable(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => typeof item === 'object' && item !== null)
  );
}
