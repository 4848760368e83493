'use client';

import { CircleHelp, Check as Tick, X } from 'lucide-react';
import { useMemo } from 'react';
import type { Result } from '@/lib/contract/result';
import { type Check, checkResult } from '@/lib/contract/result-checks';

const OUTCOMES = {
  holds: { icon: Tick, tone: 'text-completed', word: 'Holds' },
  fails: { icon: X, tone: 'text-failed', word: 'Fails' },
  unknown: { icon: CircleHelp, tone: 'text-muted', word: 'Not known' },
} as const;

/** Whether the figures agree with each other, as a list of ticks and crosses. */
export function ChecksPanel({ result }: { readonly result: Result }) {
  const checks = useMemo(() => checkResult(result), [result]);
  if (checks.length === 0) return null;
  return (
    <section aria-labelledby="checks">
      <h2 id="checks" className="mb-2 font-medium text-lg">
        Checks
      </h2>
      <ul className="flex flex-col gap-1.5">
        {checks.map((check) => (
          <CheckRow key={check.label} check={check} />
        ))}
      </ul>
    </section>
  );
}

function CheckRow({ check }: { readonly check: Check }) {
  const { icon: Icon, tone, word } = OUTCOMES[check.outcome];
  return (
    <li className="flex gap-2.5">
      <Icon aria-hidden className={`mt-1 size-3.5 shrink-0 ${tone}`} strokeWidth={2.5} />
      <span className="min-w-0">
        <span className="sr-only">{word}: </span>
        {check.label}
        <span className="tabular block text-muted text-sm sm:ms-2 sm:inline">{check.detail}</span>
      </span>
    </li>
  );
}
