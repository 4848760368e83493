import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { TRANSITIONS } from '@/lib/queue/states';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const rows = read('docs/requirements.md')
  .split('\n')
  .filter((line) => /^\| [MCNB]\d/.test(line));

/** `path` in backticks: with a folder, or a file of the checkout's root. */
const isPath = (code: string) => /^[\w.()[\]/-]+$/.test(code) && (code.includes('/') || /\.\w+$/.test(code));

describe('the map of requirements', () => {
  test('has one row for each', () => {
    const upTo = (letter: string, last: number) =>
      Array.from({ length: last }, (_, n) => `${letter}${n + 1}`);
    expect(rows.map((row) => row.split(' ')[1])).toEqual([
      ...upTo('M', 37),
      ...upTo('C', 14),
      ...upTo('N', 15),
      ...upTo('B', 50),
    ]);
  });

  test('names only paths that exist', () => {
    const paths = rows
      .flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, code]) => code ?? ''))
      .filter(isPath);
    expect(paths.length).toBeGreaterThan(100);
    expect(paths.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });

  test('names only tests that are in the file before them', () => {
    const missing: string[] = [];
    for (const row of rows) {
      let file = '';
      // In the last column alone: elsewhere such marks quote the mission.
      for (const [, code, title] of (row.split(' | ')[3] ?? '').matchAll(/`([^`]+)`|“([^”]+)”/g)) {
        if (code !== undefined) file = code;
        else if (title && !titlesIn(file).includes(title)) missing.push(`${file}: ${title}`);
      }
    }
    expect(missing).toEqual([]);
  });

  test('names the case in the title of each test that proves one', () => {
    const unnamed = rows
      .filter((row) => row.startsWith('| B'))
      .filter((row) => {
        const [, number = ''] = row.split(' ');
        const titles = [...(row.split(' | ')[3] ?? '').matchAll(/“([^”]+)”/g)].map(
          ([, title]) => title ?? '',
        );
        return titles.some((title) => !new RegExp(`\\b${number}\\b.*:`).test(title));
      });
    expect(unnamed).toEqual([]);
  });

  test('says "not yet" where it has no proof', () => {
    const unproved = rows.filter((row) => row.split(' | ')[3]?.trim() === '– |');
    expect(unproved.filter((row) => !row.includes('**not yet**'))).toEqual([]);
  });
});

test('C14: the trade-offs count the transitions as the code has them', () => {
  expect(read('docs/tradeoffs.md')).toContain(`**${Object.keys(TRANSITIONS).length} transitions**`);
});

/** The source with its quotes unescaped, so that a title is found as it is shown. */
function titlesIn(file: string): string {
  return existsSync(path.join(root, file)) ? read(file).replaceAll("\\'", "'") : '';
}
