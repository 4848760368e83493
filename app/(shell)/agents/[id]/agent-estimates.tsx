'use client';

import type { ReactNode } from 'react';
import type { Agent } from '@/lib/contract/api-agents';
import { formatCount, formatPercent } from '../../../_ui/format/count';
import { formatSeconds } from '../../../_ui/format/duration';
import { Time } from '../../../_ui/time';
import { Unknown } from '../../../_ui/unknown';

const TOO_FEW = 'Too few of its attempts have succeeded';

/** What was learnt of an agent's documents, and how far off the estimates were. */
export function AgentEstimates({ agent: { estimates } }: { readonly agent: Agent }) {
  const { tokensPerPage, secondsPerPage, tokenError, secondsError, samples, version, learntAt } = estimates;
  return (
    <section aria-labelledby="estimates">
      <h2 id="estimates" className="mb-2 font-medium text-lg">
        Estimates
      </h2>
      <dl className="grid grid-cols-2 gap-x-8 gap-y-3 sm:grid-cols-4">
        <Fact label="Tokens a page">{tokensPerPage === null ? null : formatCount(tokensPerPage)}</Fact>
        <Fact label="Tokens estimated">{tokenError === null ? null : <Off share={tokenError} />}</Fact>
        <Fact label="Seconds a page">{secondsPerPage === null ? null : formatSeconds(secondsPerPage)}</Fact>
        <Fact label="Run time estimated">{secondsError === null ? null : <Off share={secondsError} />}</Fact>
      </dl>
      <p className="mt-2 text-muted text-sm">
        {version === null ? (
          'Nothing was learnt yet: its tasks are estimated from pages and text alone.'
        ) : (
          <>
            Version {version}, learnt from {formatCount(samples ?? 0)}{' '}
            {samples === 1 ? 'attempt' : 'attempts'}, <Time at={learntAt} />
          </>
        )}
      </p>
    </section>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-muted text-xs">{label}</dt>
      <dd className="tabular font-medium text-lg">{children ?? <Unknown why={TOO_FEW} />}</dd>
    </div>
  );
}

/** The half of the attempts that came closest were off by no more, up or down, of what they really took. */
function Off({ share }: { readonly share: number }) {
  return (
    <span title="In half of its attempts the estimate was no further off, too high or too low, than this share of what they took">
      within {formatPercent(share)}
      <span className="block font-normal text-muted text-xs">of what half of them took, up or down</span>
    </span>
  );
}
