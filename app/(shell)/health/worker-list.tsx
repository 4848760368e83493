'use client';

import { useState } from 'react';
import type { Health, LoopSigns, WorkerHealth } from '@/lib/contract/api-health';
import { Button } from '../../_ui/button';
import { Duration } from '../../_ui/duration';
import { formatCount } from '../../_ui/format/count';
import { Time } from '../../_ui/time';
import { Ledger, LedgerRow } from './ledger';

interface WorkerListProps {
  readonly workers: readonly WorkerHealth[];
  readonly app: Health['app'];
}

/** Each worker with its loops; those that are gone only when asked for. */
export function WorkerList({ workers, app }: WorkerListProps) {
  const [withGone, setWithGone] = useState(false);
  const alive = workers.filter((worker) => worker.alive);
  const gone = workers.length - alive.length;
  return (
    <section aria-labelledby="workers">
      <h2 id="workers" className="mb-2 font-medium text-lg">
        Workers
      </h2>
      {alive.length === 0 && <p className="mb-3 text-muted">None is running.</p>}
      <ul className="flex flex-col gap-6">
        {(withGone ? workers : alive).map((worker) => (
          <WorkerItem key={worker.id} worker={worker} app={app} />
        ))}
      </ul>
      {gone > 0 && (
        <Button size="sm" variant="ghost" className="mt-3" onClick={() => setWithGone(!withGone)}>
          {withGone ? 'Hide' : 'Show'} {formatCount(gone)} that {gone === 1 ? 'is' : 'are'} gone
        </Button>
      )}
    </section>
  );
}

function WorkerItem({ worker, app }: { readonly worker: WorkerHealth; readonly app: Health['app'] }) {
  const differs = worker.version !== app.version || worker.schemaVersion !== app.schemaVersion;
  return (
    <li>
      <p className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5">
        <span className="break-all font-medium font-mono text-sm">{worker.id}</span>
        <span className="text-muted text-sm">
          process {worker.pid} on {worker.host} · version {worker.version}
          {worker.alive && differs && ', another one than this app'} · started <Time at={worker.startedAt} />{' '}
          · heartbeat <Duration seconds={worker.silentSeconds} /> ago
          {!worker.alive && ', gone'}
        </span>
      </p>
      {worker.alive && worker.loops.length > 0 && <LoopTable loops={worker.loops} />}
    </li>
  );
}

function LoopTable({ loops }: { readonly loops: readonly LoopSigns[] }) {
  return (
    <Ledger
      label="Loops"
      heads={['Loop', 'Last run, ago', 'Took', 'Runs', 'Failures']}
      hiddenOnPhone={['Runs']}
    >
      {loops.map(({ name, ageSeconds, tookMs, runs, failures }) => (
        <LedgerRow key={name} name={name} hiddenOnPhone={[2]}>
          <Duration seconds={ageSeconds} />
          <Duration seconds={tookMs / 1000} />
          {formatCount(runs)}
          <span className={failures === 0 ? 'text-muted' : 'font-medium'}>{formatCount(failures)}</span>
        </LedgerRow>
      ))}
    </Ledger>
  );
}
