'use client';

import type { DatabaseHealth } from '@/lib/contract/api-health';
import { formatBytes, formatCount, formatPercent } from '../../_ui/format/count';
import { Time } from '../../_ui/time';
import { Ledger, LedgerRow } from './ledger';

const HEADS = ['Table', 'Rows', 'Dead rows', 'Dead share', 'Size', 'Of it indexes', 'Vacuumed'];

/** The largest tables, with what vacuum has still to clear away. */
export function DatabasePanel({ database }: { readonly database: DatabaseHealth }) {
  return (
    <section aria-labelledby="tables">
      <h2 id="tables" className="mb-2 font-medium text-lg">
        Tables
      </h2>
      <Ledger label="Tables" heads={HEADS} hiddenOnPhone={['Dead share', 'Of it indexes', 'Vacuumed']}>
        {database.tables.map((table) => (
          <LedgerRow
            key={table.name}
            name={<span className="font-mono text-xs">{table.name}</span>}
            hiddenOnPhone={[2, 4, 5]}
          >
            <span title="As last estimated">{formatCount(table.liveRows)}</span>
            {formatCount(table.deadRows)}
            <span className="text-muted">
              {formatPercent(table.deadRows / Math.max(1, table.liveRows + table.deadRows))}
            </span>
            {formatBytes(table.totalBytes)}
            <span className="text-muted">{formatBytes(table.indexBytes)}</span>
            <Time at={table.vacuumedAt} why="Not since the statistics began" className="text-muted" />
          </LedgerRow>
        ))}
      </Ledger>
    </section>
  );
}
