'use client';

import type { ReactNode } from 'react';
import type { Health } from '@/lib/contract/api-health';
import { Duration } from '../../_ui/duration';
import { formatBytes, formatCount } from '../../_ui/format/count';
import { Unknown } from '../../_ui/unknown';

const LISTENER: Record<Health['app']['listener'], readonly [word: string, note: string]> = {
  live: ['Live', 'changes arrive at once'],
  down: ['Down', 'pages poll meanwhile'],
  unused: ['Unused', 'it begins with the first viewer'],
};

/** The figures that tell early what will need a person. */
export function HealthFigures({ health }: { readonly health: Health }) {
  const { app, database, disk } = health;
  const alive = health.workers.filter((worker) => worker.alive).length;
  const [listener, note] = LISTENER[app.listener];
  return (
    <section aria-labelledby="figures">
      <h2 id="figures" className="sr-only">
        Figures
      </h2>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-5 sm:grid-cols-4 xl:grid-cols-8">
        <Figure label="Workers">{formatCount(alive)}</Figure>
        <Figure label="Last sweep" note="ago">
          <Duration seconds={health.sweeperAgeSeconds} why="No worker has swept yet" />
        </Figure>
        <Figure label="Listener" note={note}>
          {listener}
        </Figure>
        <Figure label="Event streams" note="of this process">
          {formatCount(app.streams)}
        </Figure>
        <Figure label="Connections" note={`of ${formatCount(database.maxConnections)}`}>
          {formatCount(database.connections)}
        </Figure>
        <Figure
          label="Oldest snapshot"
          note={database.oldestSnapshot ? database.oldestSnapshot.application || 'unnamed' : 'none is held'}
        >
          {database.oldestSnapshot ? <Duration seconds={database.oldestSnapshot.ageSeconds} /> : '0 s'}
        </Figure>
        <Figure label="Database" note={`PostgreSQL ${database.version.split(' ')[0]}`}>
          {formatBytes(database.sizeBytes)}
        </Figure>
        <Figure label="Disk left" note={disk ? `of ${formatBytes(disk.totalBytes)}` : undefined}>
          {disk ? formatBytes(disk.freeBytes) : <Unknown why="The data folder could not be asked" />}
        </Figure>
      </dl>
    </section>
  );
}

interface FigureProps {
  readonly label: string;
  readonly note?: string;
  readonly children: ReactNode;
}

function Figure({ label, note, children }: FigureProps) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-xs">{label}</dt>
      <dd className="tabular font-medium text-lg">{children}</dd>
      {note && (
        <dd className="truncate text-muted text-xs" title={note}>
          {note}
        </dd>
      )}
    </div>
  );
}
