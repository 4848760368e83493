import { DISTURBED, type Measurement, type Part, type Target } from './measurement';
import { ratioByRound, type Spread, spread } from './statistics';

/** One row of a part over all its rounds. */
export interface RowSummary {
  readonly row: string;
  readonly rounds: number;
  /** Rounds in which others used more than 15 % of the machine. */
  readonly disturbed: number;
  readonly figures: Readonly<Record<string, Spread>>;
}

export interface TargetSummary {
  readonly part: string;
  readonly says: string;
  /** In words, such as `≥ 0.85 (aim 1)`. */
  readonly wanted: string;
  /** Null: not measured this time. */
  readonly measured: Spread | null;
  readonly pass: boolean | null;
}

/** A part as `--json` prints it and the report shows it. */
export interface PartSummary {
  readonly name: string;
  readonly title: string;
  readonly rows: readonly RowSummary[];
  readonly targets: readonly TargetSummary[];
  readonly notes: readonly string[];
  readonly leftOut: Part['leftOut'];
}

export function summarise(part: Part): PartSummary {
  const rows = Map.groupBy(part.measurements, ({ row }) => row);
  return {
    name: part.name,
    title: part.title,
    rows: [...rows].map(([row, runs]) => summariseRow(row, runs)),
    targets: part.targets.map((target) => judge(part, target)),
    notes: part.notes,
    leftOut: part.leftOut,
  };
}

function summariseRow(row: string, runs: readonly Measurement[]): RowSummary {
  const names = new Set(runs.flatMap(({ figures }) => Object.keys(figures)));
  const spreads = [...names].flatMap((name): [string, Spread][] => {
    const found = spread(runs.map(({ figures }) => figures[name] ?? Number.NaN));
    return found ? [[name, found]] : [];
  });
  return {
    row,
    rounds: runs.length,
    disturbed: runs.filter(({ others }) => others > DISTURBED).length,
    figures: Object.fromEntries(spreads),
  };
}

/** A target is met when the median over the rounds is. */
export function judge(part: Pick<Part, 'name' | 'measurements'>, target: Target): TargetSummary {
  const { row, figure, over, atLeast, atMost, aim } = target;
  const own = byRound(part.measurements, row, figure);
  const measured = over
    ? ratioByRound(own, byRound(part.measurements, over.row, over.figure ?? figure))
    : spread([...own.values()]);
  const limits = [
    ...(atLeast === undefined ? [] : [`≥ ${atLeast.toLocaleString('en')}`]),
    ...(atMost === undefined ? [] : [`≤ ${atMost.toLocaleString('en')}`]),
  ];
  const wanted = `${limits.join(', ')}${aim === undefined ? '' : ` (aim ${aim})`}`;
  const pass = measured
    ? measured.median >= (atLeast ?? Number.NEGATIVE_INFINITY) &&
      measured.median <= (atMost ?? Number.POSITIVE_INFINITY)
    : null;
  return { part: part.name, says: target.says, wanted, measured, pass };
}

function byRound(measurements: readonly Measurement[], row: string, figure: string): Map<number, number> {
  return new Map(
    measurements.flatMap((one) => {
      const value = one.figures[figure];
      return one.row === row && value !== undefined ? [[one.round, value]] : [];
    }),
  );
}
