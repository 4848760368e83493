import { describe, expect, test } from 'vitest';
import { changeBetween } from './change';

const text = (...args: Parameters<typeof changeBetween>) => changeBetween(...args)?.text;

describe('the change against the period before', () => {
  test('is a share of what was before, with digits that say something', () => {
    expect(text(112, 100)).toBe('+12\u202f%');
    expect(text(97, 100)).toBe('−3.0\u202f%');
    expect(text('0.00123', '0.00120')).toBe('+2.5\u202f%');
    expect(text(1, 3)).toBe('−67\u202f%');
  });
  test('is a factor where a share would be a large number', () => {
    expect(text(1_200, 100)).toBe('× 12');
  });
  test('of nothing is new, of the same unchanged', () => {
    expect(text(5, 0)).toBe('new');
    expect(text(0, 0)).toBe('unchanged');
    expect(text('0.10', '0.1000')).toBe('unchanged');
  });
  test('is unknown where either is', () => {
    expect(changeBetween(null, 1)).toBeNull();
    expect(changeBetween('1', null)).toBeNull();
  });
});
