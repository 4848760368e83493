import { describe, expect, test } from 'vitest';
import { DEFAULT_VIEW, formatTaskView, parseTaskView } from './view-settings';

describe('the look of the task list', () => {
  test('is remembered, with the columns in their order', () => {
    const text = encodeURIComponent(formatTaskView({ density: 'compact', columns: ['cost', 'status'] }));
    expect(parseTaskView(text)).toEqual({ density: 'compact', columns: ['status', 'cost'] });
    expect(parseTaskView(formatTaskView({ density: 'normal', columns: [] })).columns).toEqual([]);
  });

  test('is the usual one without a cookie, and takes no harm from a strange one', () => {
    expect(parseTaskView(undefined)).toBe(DEFAULT_VIEW);
    expect(parseTaskView('%E0%A4%A nonsense')).toEqual({ density: 'normal', columns: [] });
  });
});
