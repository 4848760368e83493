import 'server-only';
import type { Tx } from '@/lib/db/client';
import { type HistogramRow, readHistograms, readSums, type SumRow } from './cells';
import type { Cover, Grain } from './periods';
import type { Selection } from './selection';

interface Cells {
  readonly sums: readonly SumRow[];
  readonly histograms: readonly HistogramRow[];
}

/** Whose cells are kept, and of which state of the sums. */
export interface KeptBy {
  /** null: nothing is kept. */
  readonly pool: object | null;
  readonly generation: string;
}

/** Questions whose cells are kept; the one that was asked longest ago goes first. */
const MOST_KEPT = 64;

/** By database, as the identity that the caller gives: the pool. */
const kept = new WeakMap<object, Map<string, Cells>>();

/**
 * The cells of a cover. Those of periods that are not stale are the same until the roll-up's generation moves, so they are
 * read once and kept; only the hours that are being written to are read each time.
 */
export async function readCells(
  tx: Tx,
  of: KeptBy,
  cover: Cover,
  selection: Selection,
  bucket: Grain,
): Promise<Cells> {
  if (of.pool === null) return read(tx, cover, selection, bucket);
  const settled = { ...cover, looseHours: [], edges: [] };
  const moving = { month: [], day: [], hour: [], looseHours: cover.looseHours, edges: [] };
  const key = JSON.stringify([of.generation, bucket, selection, settled], (_, value: unknown) =>
    typeof value === 'number' && !Number.isFinite(value) ? String(value) : value,
  );
  const cells = kept.get(of.pool) ?? new Map<string, Cells>();
  kept.set(of.pool, cells);
  const found = cells.get(key) ?? (await read(tx, settled, selection, bucket));
  cells.delete(key);
  cells.set(key, found);
  const oldest = cells.keys().next();
  if (cells.size > MOST_KEPT && !oldest.done) cells.delete(oldest.value);
  const fresh = await read(tx, moving, selection, bucket);
  return { sums: [...found.sums, ...fresh.sums], histograms: [...found.histograms, ...fresh.histograms] };
}

async function read(tx: Tx, cover: Cover, selection: Selection, bucket: Grain): Promise<Cells> {
  return {
    sums: await readSums(tx, cover, selection, bucket),
    histograms: await readHistograms(tx, cover, selection, bucket),
  };
}
