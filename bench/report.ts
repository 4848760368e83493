import type { Environment } from './environment';
import type { Column } from './measurement';
import type { Spread } from './statistics';
import type { PartSummary, RowSummary, TargetSummary } from './summary';

/** What a document shows of one part. */
export interface Reported {
  readonly summary: PartSummary;
  readonly columns: readonly Column[];
}

const TARGETS = 'targets';

/**
 * The document with these parts in it: each between its marks `<!-- bench:NAME: begin -->` and `end`, and the targets of
 * all parts between those of `targets`, where rows of parts that were not run now stay. Throws where marks are missing.
 */
export function withParts(document: string, parts: readonly Reported[], environment: Environment): string {
  let changed = document;
  for (const { summary, columns } of parts) {
    changed = replaceBetween(
      changed,
      summary.name,
      [partText(summary, columns), whereText(environment)].join('\n\n'),
    );
  }
  return replaceBetween(changed, TARGETS, targetsTable(changed, parts, environment));
}

/** All targets in the order of the parts in the document, those of `parts` as they were measured now. */
function targetsTable(document: string, parts: readonly Reported[], environment: Environment): string {
  const kept = between(document, TARGETS)
    .split('\n')
    .filter((row) => row.startsWith('| `') && !parts.some(({ summary }) => partOf(row) === summary.name));
  const measured = parts.flatMap(({ summary }) =>
    summary.targets.map((target) => targetRow(target, environment)),
  );
  const placeOf = (row: string) => document.indexOf(beginOf(partOf(row)));
  const rows = [...kept, ...measured].sort((a, b) => placeOf(a) - placeOf(b));
  const head = [
    ['part', 'target', 'wanted', 'measured', '', 'on'],
    ['---', '---', '---', '---', '---', '---'],
  ];
  return [...head.map(line), ...rows].join('\n');
}

/** The part that a row of the targets is about. */
function partOf(row: string): string {
  return /^\| `([^`]+)`/.exec(row)?.[1] ?? '';
}

/** The table of a part for a document or a terminal, and the sentences below it. */
export function partText(part: PartSummary, columns: readonly Column[]): string {
  const shown = columns.filter(({ figure }) => part.rows.some(({ figures }) => figures[figure]));
  const head = ['', ...shown.map((column) => column.head), 'rounds'];
  const rows = part.rows.map((row) => [
    row.row,
    ...shown.map((column) => figureCell(row, column)),
    roundsCell(row),
  ]);
  const table = [head, head.map(() => '---'), ...rows].map(line).join('\n');
  const failed = part.leftOut.map(({ row, reason }) => `${row}: not measured. ${reason}`);
  return [table, ...part.notes, ...failed].join('\n\n');
}

/** The targets of a part for a terminal. */
export function targetText({ says, wanted, measured, pass }: TargetSummary): string {
  return `${verdict(pass)}  ${says}: ${spreadText(measured)}, wanted ${wanted}`;
}

function targetRow(
  { part, says, wanted, measured, pass }: TargetSummary,
  { at, commit }: Environment,
): string {
  const marked = pass === false ? '**miss**' : verdict(pass);
  return line([`\`${part}\``, says, wanted, spreadText(measured), marked, `${at.slice(0, 10)}, ${commit}`]);
}

const verdict = (pass: boolean | null) => (pass === null ? 'not measured' : pass ? 'pass' : 'miss');

function whereText({ at, commit, machine, versions }: Environment): string {
  const list = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `Measured on ${at.slice(0, 16).replace('T', ' ')} UTC at ${commit}. ${machine}. ${list.join(', ')}.`;
}

function figureCell({ figures }: RowSummary, { figure, show }: Column): string {
  const found = figures[figure];
  if (!found) return '–';
  return show === 'median' ? numberText(found.median) : spreadText(found);
}

function roundsCell({ rounds, disturbed }: RowSummary): string {
  return disturbed > 0 ? `${rounds}, ${disturbed} disturbed` : String(rounds);
}

/** `12,345 [12,000 – 13,000]`; one figure alone where there is no more. */
export function spreadText(spread: Spread | null): string {
  if (!spread) return '–';
  const [middle, low, high] = [spread.median, spread.min, spread.max].map(numberText);
  return spread.min === spread.max ? `${middle}` : `${middle} [${low} – ${high}]`;
}

/** Three digits that say something, no more. */
export function numberText(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en', { minimumFractionDigits: 0, maximumFractionDigits: digits });
}

const line = (cells: readonly string[]) =>
  `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;

const beginOf = (name: string) => `<!-- bench:${name}: begin -->`;
const endOf = (name: string) => `<!-- bench:${name}: end -->`;

function between(document: string, name: string): string {
  const [begin, end] = [document.indexOf(beginOf(name)), document.indexOf(endOf(name))];
  if (begin < 0 || end < begin)
    throw new Error(`there is no place between ${beginOf(name)} and ${endOf(name)}`);
  return document.slice(begin + beginOf(name).length, end);
}

function replaceBetween(document: string, name: string, text: string): string {
  const old = between(document, name);
  const at = document.indexOf(beginOf(name)) + beginOf(name).length;
  return `${document.slice(0, at)}\n\n${text}\n\n${document.slice(at + old.length)}`;
}
