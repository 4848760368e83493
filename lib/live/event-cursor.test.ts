import { describe, expect, test } from 'vitest';
import { EventCursor } from './event-cursor';

function cursorAt(...ids: number[]): EventCursor {
  const cursor = new EventCursor();
  cursor.note(ids, false, 0);
  return cursor;
}

describe('a cursor over events that commit out of order', () => {
  test('asks again for what was left out, until it has come', () => {
    const cursor = cursorAt(10);
    cursor.note([11, 14], true, 0);
    expect([cursor.position, cursor.missing]).toEqual([14, [12, 13]]);
    cursor.note([13], true, 1_000);
    expect([cursor.position, cursor.missing]).toEqual([14, [12]]);
  });

  test('gives up after a minute what was rolled back', () => {
    const cursor = cursorAt(10);
    cursor.note([12], true, 0);
    cursor.note([13], true, 59_000);
    expect(cursor.missing).toEqual([11]);
    cursor.note([], true, 61_000);
    expect(cursor.missing).toEqual([]);
  });

  test('at its start takes the ids between those it sees for gaps, and nothing below', () => {
    expect(cursorAt(107, 105, 104).missing).toEqual([106]);
  });

  test('does not look for what it did not read because there was too much', () => {
    const cursor = cursorAt(10);
    cursor.note([1_000, 1_001, 1_003], false, 0);
    expect([cursor.position, cursor.missing]).toEqual([1_003, [1_002]]);
  });

  test('remembers a bounded number of gaps, the newest', () => {
    const cursor = cursorAt(10);
    cursor.note([1_000_000], true, 0);
    expect(cursor.missing.length).toBe(2_000);
    expect(cursor.missing.at(-1)).toBe(999_999);
  });
});
