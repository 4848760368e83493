import 'server-only';
import type { Tx } from '@/lib/db/client';
import { type Buckets, cutAtBuckets, homeOf, type Move, movesOf } from './buckets';
import { instantText, type Periods, readHistograms, readSums } from './cells';
import { Gathered } from './gathered';
import { readAllFacts, readChanges, readEdges } from './loose';
import type { Moment } from './moment';
import { coverRange, floorTo, nextPeriod, type Span } from './periods';
import { matcherOf, needsFacts, type Selection } from './selection';

/** More hours that are being written to are not read for all that is asked, but for each question what it needs. */
const MOST_MOVING = 48;
const MINUTE_MS = 60_000;
const NOTHING: Periods = { month: [], day: [], hour: [], looseHours: [] };
const NONE_STALE = { month: [], day: [], hour: [] };

/** What a part of an answer is made of. */
interface Part extends Periods {
  readonly edges: readonly Span[];
  readonly moves: readonly Move[];
}

/**
 * All chosen tasks of a range as of a moment: whole periods from the sums, kept since they were read last where nothing can have
 * changed in them; the ends of the range from facts; and what no fact says yet from the tasks' rows.
 */
export async function gather(
  moment: Moment,
  selection: Selection,
  range: Span,
  buckets: Buckets,
): Promise<Gathered> {
  const { tx, stale } = moment;
  if (needsFacts(selection)) {
    const all = new Gathered();
    for (const row of await readAllFacts(tx, range, selection, buckets)) all.addRow(row.at_ms, row);
    return all;
  }
  const cover = coverRange(range, buckets.grain, stale);
  const staleHours = new Set(stale.hour);
  const isMoving = ({ lo }: Span) => staleHours.has(floorTo('hour', lo));
  const edges = cutAtBuckets(cover.edges, buckets);
  const coarse = { ...NOTHING, month: cover.month, day: cover.day };
  const hours = { ...NOTHING, hour: cover.hour };
  const loose = { ...NOTHING, looseHours: cover.looseHours };
  const settled = [
    { ...coarse, edges: [], moves: movesOf(coarse, buckets) },
    { ...hours, edges: edges.filter((edge) => !isMoving(edge)), moves: movesOf(hours, buckets) },
  ];
  const moving = {
    ...(stale.hour.length > MOST_MOVING ? loose : NOTHING),
    edges: edges.filter(isMoving),
    moves: movesOf({ ...NOTHING, hour: cover.looseHours.map(hourAt) }, buckets),
  };
  const parts: Gathered[] = [];
  for (const part of settled) parts.push(await kept(moment, part, selection, buckets));
  const rest = await readPart(tx, moving, selection, buckets);
  await addShared(rest, moment, { selection, range, buckets, hours: cover.looseHours });
  return Gathered.merge([...parts, rest]);
}

const hourAt = (lo: number): Span => ({ lo, hi: nextPeriod('hour', lo) });

/** Adds what is read once for all that is asked: the hours that are being written to, and what has changed. */
async function addShared(
  to: Gathered,
  moment: Moment,
  asked: { selection: Selection; range: Span; buckets: Buckets; hours: readonly number[] },
): Promise<void> {
  const { selection, range, buckets, hours } = asked;
  const matches = matcherOf(selection);
  if (hours.length > 0 && moment.stale.hour.length <= MOST_MOVING) {
    const home = new Map(hours.map((hour) => [hour, homeOf(hourAt(hour), buckets)]));
    for (const one of await moment.movingHours()) {
      const at = home.get(one.at_ms);
      if (at !== undefined && matches(one)) to.addAll(at, one.sums);
    }
  }
  if (!isOnMinutes(range)) {
    for (const row of await readChanges(moment.tx, { range, selection }))
      to.addRow(buckets.of(row.at_ms), row);
    return;
  }
  for (const one of await moment.changes()) {
    if (one.at_ms >= range.lo && one.at_ms < range.hi && matches(one))
      to.addAll(buckets.of(one.at_ms), one.sums);
  }
}

function isOnMinutes({ lo, hi }: Span): boolean {
  return [lo, hi].every((end) => !Number.isFinite(end) || end % MINUTE_MS === 0);
}

async function kept(
  { tx, kept: parts, generation }: Moment,
  part: Part,
  selection: Selection,
  buckets: Buckets,
): Promise<Gathered> {
  const { month, day, hour, edges } = part;
  const spans = [...month, ...day, ...hour, ...edges];
  if (spans.length === 0) return new Gathered();
  const named = [month, day, hour, edges].map((list) =>
    list.map(({ lo, hi }) => `${instantText(lo)} ${instantText(hi)}`),
  );
  // What lies beyond the starts is counted in the first or the last bucket, so it matters how far they reach.
  const reach = [buckets.starts?.[0], buckets.starts?.at(-1)];
  const key = JSON.stringify([buckets.grain, buckets.timeZone, reach, selection, named]);
  return parts.read(generation, key, spans, () => readPart(tx, part, selection, buckets));
}

async function readPart(tx: Tx, part: Part, selection: Selection, buckets: Buckets): Promise<Gathered> {
  const gathered = new Gathered();
  const { month, looseHours, hour } = part;
  if (part.month.length + part.day.length + hour.length + looseHours.length > 0) {
    const isIn = (spans: readonly Span[], ms: number) => spans.some(({ lo, hi }) => ms >= lo && ms < hi);
    const isHour = (ms: number) => looseHours.includes(ms) || isIn(hour, ms);
    const homes = new Map<number, number>();
    const home = (at: number) => {
      const grain = isIn(month, at) ? 'month' : isHour(at) ? 'hour' : 'day';
      const found = homes.get(at) ?? homeOf({ lo: at, hi: nextPeriod(grain, at) }, buckets);
      homes.set(at, found);
      return found;
    };
    for (const row of await readSums(tx, part, selection)) gathered.addSums(home(row.at_ms), row);
    for (const row of await readHistograms(tx, part, selection)) gathered.addHistogram(home(row.at_ms), row);
  }
  for (const row of await readEdges(tx, part.edges, selection)) gathered.addRow(buckets.of(row.at_ms), row);
  await move(tx, gathered, part.moves, selection);
  return gathered;
}

/** Takes what was counted in one bucket and belongs to another one over there. */
async function move(tx: Tx, to: Gathered, moves: readonly Move[], selection: Selection): Promise<void> {
  if (moves.length === 0) return;
  const covers = moves.map(({ span }) => coverRange(span, 'hour', NONE_STALE));
  /** Which move the hour or the part of an hour that starts there belongs to. */
  const places = new Map<number, number>();
  for (const [n, { hour, edges }] of covers.entries()) {
    for (const { lo, hi } of hour) for (let at = lo; at < hi; at = nextPeriod('hour', at)) places.set(at, n);
    for (const { lo } of edges) places.set(lo, n);
  }
  const moved = new Gathered();
  const placeOf = (at: number) => places.get(at) ?? 0;
  const periods = { ...NOTHING, hour: covers.flatMap(({ hour }) => hour) };
  if (periods.hour.length > 0) {
    for (const row of await readSums(tx, periods, selection)) moved.addSums(placeOf(row.at_ms), row);
    for (const row of await readHistograms(tx, periods, selection))
      moved.addHistogram(placeOf(row.at_ms), row);
  }
  const edges = covers.flatMap((cover) => cover.edges);
  for (const row of await readEdges(tx, edges, selection)) moved.addRow(placeOf(row.at_ms), row);
  for (const [n, sums] of moved.buckets) {
    const one = moves[n];
    if (!one) continue;
    to.addAll(one.to, sums);
    to.addAll(one.from, sums, -1);
  }
}
