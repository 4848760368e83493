import type { Verdict } from './compare';

/** One compared field of one document. */
export interface Comparison {
  readonly document: string;
  readonly field: string;
  readonly verdict: Verdict;
  readonly got: unknown;
  readonly wanted: unknown;
}

export interface FieldScore {
  readonly field: string;
  readonly right: number;
  readonly wrong: number;
  readonly missing: number;
  readonly invented: number;
  readonly total: number;
}

/** Counts per field, in the order in which the fields first came, and over all as `total`. */
export function scoreFields(comparisons: readonly Comparison[]): FieldScore[] {
  const fields = [...new Set(comparisons.map((comparison) => comparison.field))];
  const count = (field: string, among: readonly Comparison[]): FieldScore => {
    const of = (verdict: Verdict) => among.filter((each) => each.verdict === verdict).length;
    return {
      field,
      right: of('right'),
      wrong: of('wrong'),
      missing: of('missing'),
      invented: of('invented'),
      total: among.length,
    };
  };
  return [
    ...fields.map((field) =>
      count(
        field,
        comparisons.filter((each) => each.field === field),
      ),
    ),
    count('total', comparisons),
  ];
}

/** The scores as lines of text with columns. */
export function scoreTable(scores: readonly FieldScore[]): string {
  const percent = (part: number, whole: number) =>
    whole === 0 ? '' : `${((100 * part) / whole).toFixed(1)} %`;
  const rows = [
    ['field', 'right', 'wrong', 'missing', 'invented', 'of', 'right %'],
    ...scores.map((score) => [
      score.field,
      ...[score.right, score.wrong, score.missing, score.invented, score.total].map(String),
      percent(score.right, score.total),
    ]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
    .join('\n');
}

/** What was not right, one line each. */
export function mistakes(comparisons: readonly Comparison[]): string {
  return comparisons
    .filter((comparison) => comparison.verdict !== 'right')
    .map(
      ({ document, field, verdict, got, wanted }) =>
        `${document}: ${field} ${verdict}: ${JSON.stringify(got ?? null)}, expected ${JSON.stringify(wanted)}`,
    )
    .join('\n');
}
