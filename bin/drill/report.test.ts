import { expect, test } from 'vitest';
import { withResults } from './report';

const document = (table: string) => `before\n<!-- drills: begin -->${table}<!-- drills: end -->\nafter\n`;
const result = (name: string, pass = true) => ({ name, promise: 'It holds.', measured: '1 | 2 s', pass });
const names = ['one', 'two', 'three'];

test('results are written between the marks, in the order of the drills, and the rest stays', () => {
  const written = withResults(document(''), [result('two', false), result('one')], names, 'today');
  expect(written.startsWith('before\n')).toBe(true);
  expect(written.endsWith('\nafter\n')).toBe(true);
  expect(written.split('\n').filter((line) => line.startsWith('| `'))).toEqual([
    '| `one` | It holds. | 1 \\| 2 s | pass | today |',
    '| `two` | It holds. | 1 \\| 2 s | **fail** | today |',
  ]);
});

test('a drill that was not run again keeps its row', () => {
  const first = withResults(document(''), [result('one'), result('three')], names, 'yesterday');
  const second = withResults(first, [result('two'), result('three')], names, 'today');
  const rows = second.split('\n').filter((line) => line.startsWith('| `'));
  expect(rows.map((row) => [row.slice(3, row.indexOf('`', 3)), row.includes('today')])).toEqual([
    ['one', false],
    ['two', true],
    ['three', true],
  ]);
  expect(withResults(second, [], names, 'later')).toBe(second);
});

test('a document without a place for the table is left alone', () => {
  expect(() => withResults('nothing here', [], names, 'today')).toThrow('no place');
});
