import { expect, test } from 'vitest';
import { comparePlaces, completeHome, formatPlace, type Place } from './place';

const BRANCH = 'lakebase:projects/tickmark/branches/production';
const place = (name: string | null, server: string | null = '7', database = '16384'): Place => ({
  name,
  server,
  database,
});
const homes = {
  unnamed: formatPlace(place(null)),
  named: formatPlace(place(BRANCH)),
  older: BRANCH,
  unasked: formatPlace(place(BRANCH, null)),
};

test.each<[keyof typeof homes, string, Place, ReturnType<typeof comparePlaces>]>([
  ['unnamed', 'the same server and database', place(null), 'here'],
  ['unnamed', 'another database of the server', place(null, '7', '20000'), 'elsewhere'],
  ['unnamed', 'another server', place(null, '8'), 'elsewhere'],
  ['unnamed', 'a branch on the same server', place(BRANCH), 'unknown'],
  ['unnamed', 'a branch on another server', place(BRANCH, '8'), 'elsewhere'],
  ['named', 'the same branch', place(BRANCH), 'here'],
  ['named', 'the same branch after it was moved', place(BRANCH, '8'), 'here'],
  ['named', 'another database in the same branch', place(BRANCH, '7', '20000'), 'elsewhere'],
  ['named', 'another branch', place('lakebase:projects/tickmark/branches/debug'), 'elsewhere'],
  ['named', 'a place without a name, which may be the same', place(null), 'unknown'],
  ['named', 'a place without a name, with another database', place(null, '7', '20000'), 'elsewhere'],
  ['named', 'a place without a name, on another server', place(null, '8'), 'elsewhere'],
  ['named', 'the same branch, by somebody who may not ask the server', place(BRANCH, null), 'here'],
  ['named', 'a place without name or server', place(null, null), 'unknown'],
  ['unasked', 'a place without a name, on any server', place(null, '8'), 'unknown'],
  ['unasked', 'another database in the same branch', place(BRANCH, '7', '20000'), 'elsewhere'],
  ['older', 'the same branch', place(BRANCH), 'here'],
  ['older', 'another branch', place('lakebase:tickmark'), 'elsewhere'],
  ['older', 'a place without a name', place(null), 'unknown'],
])('C4: a database at home in a place (%s), found in %s', (home, _, found, expected) => {
  expect(comparePlaces(homes[home], found)).toBe(expected);
});

test('C4: a home is completed by what is known of the place, and loses nothing by what is not', () => {
  expect(completeHome(homes.older, place(BRANCH))).toBe(homes.named);
  expect(completeHome(homes.named, place(BRANCH, null))).toBe(homes.named);
  expect(completeHome(homes.unasked, place(BRANCH))).toBe(homes.named);
  expect(completeHome(null, place(null, null))).toBe('postgres:-/16384');
});
