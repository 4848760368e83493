import { expect, test } from 'vitest';
import type { Environment } from './environment';
import { numberText, partText, type Reported, spreadText, withParts } from './report';
import type { PartSummary } from './summary';

const environment: Environment = {
  at: '2026-11-30T10:20:30.000Z',
  commit: 'abc1234',
  machine: '2 cores (Some), 24 GB, Linux',
  versions: { Node: '22.0.0', PostgreSQL: '18.4' },
  settings: {},
};
const columns = [
  { figure: 'perSecond', head: 'tasks/s', show: 'spread' },
  { figure: 'micros', head: 'CPU', show: 'median' },
  { figure: 'redis', head: 'Redis', show: 'median' },
] as const;
const summary: PartSummary = {
  name: 'throughput',
  title: 'Throughput',
  rows: [
    {
      row: 'ours | all',
      rounds: 3,
      disturbed: 1,
      figures: {
        perSecond: { median: 12345.6, min: 12000, max: 13000 },
        micros: { median: 12.34, min: 1, max: 99 },
      },
    },
    {
      row: 'theirs',
      rounds: 3,
      disturbed: 0,
      figures: { perSecond: { median: 9, min: 9, max: 9 } },
    },
  ],
  targets: [
    {
      part: 'throughput',
      says: 'to theirs',
      wanted: '≥ 2',
      measured: { median: 1.5, min: 1, max: 2 },
      pass: false,
    },
  ],
  notes: ['A note.'],
  leftOut: [{ row: 'absent', reason: 'it did not start' }],
};
const reported: Reported = { summary, columns };
const document = [
  'Before.',
  '<!-- bench:targets: begin -->',
  '| `throughput` | of old | ≥ 1 | 3 | pass | 2020-01-01, x |',
  '| `latency` | kept | ≤ 1 | 0.5 | pass | 2020-01-01, x |',
  '<!-- bench:targets: end -->',
  'Between.',
  '<!-- bench:throughput: begin -->',
  'old',
  '<!-- bench:throughput: end -->',
  'After.',
].join('\n');

test('a table has the columns that were measured, rows with disturbed rounds marked', () => {
  const text = partText(summary, columns);
  expect(text).toContain('|  | tasks/s | CPU | rounds |');
  expect(text).toContain('| ours \\| all | 12,346 [12,000 – 13,000] | 12.3 | 3, 1 disturbed |');
  expect(text).toContain('| theirs | 9 | – | 3 |');
  expect(text).toContain('A note.');
  expect(text).toContain('absent: not measured. it did not start');
});

test('a document gets the tables between their marks and keeps all else', () => {
  const changed = withParts(document, [reported], environment);
  expect(changed).toMatch(/^Before\./);
  expect(changed).toContain('Between.');
  expect(changed).toMatch(/After\.$/);
  expect(changed).not.toContain('old\n');
  expect(changed).toContain('Measured on 2026-11-30 10:20 UTC at abc1234. 2 cores (Some), 24 GB, Linux.');
});

test('targets of parts that were not run now stay, those of this run are replaced; a miss is said loudly', () => {
  const changed = withParts(document, [reported], environment);
  expect(changed).toContain('| `latency` | kept | ≤ 1 | 0.5 | pass | 2020-01-01, x |');
  expect(changed).not.toContain('of old');
  expect(changed).toContain(
    '| `throughput` | to theirs | ≥ 2 | 1.5 [1 – 2] | **miss** | 2026-11-30, abc1234 |',
  );
  expect(withParts(changed, [reported], environment)).toBe(changed);
});

test('a document without a place for a part is refused', () => {
  expect(() => withParts('nothing', [reported], environment)).toThrow('bench:throughput: begin');
});

test('numbers are short enough to be read and say no more than was measured', () => {
  expect([0.123456, 9.876, 12.345, 1234.5].map(numberText)).toEqual(['0.12', '9.88', '12.3', '1,235']);
  expect(spreadText(null)).toBe('–');
});
