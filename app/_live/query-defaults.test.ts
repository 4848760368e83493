import { environmentManager, QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchJson } from '@/lib/api-client/fetch-json';
import { queryDefaults } from './query-defaults';

let asked = 0;
let isAway = false;

beforeEach(() => {
  vi.useFakeTimers();
  environmentManager.setIsServer(() => false);
  asked = 0;
  vi.stubGlobal('fetch', async () => {
    asked += 1;
    if (isAway) throw new TypeError('Failed to fetch');
    return Response.json({ asked });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('a query is polled every 10 s, hardly while nothing answers, and as before once something has', async () => {
  const client = new QueryClient({ defaultOptions: { queries: queryDefaults(10) } });
  const observer = new QueryObserver(client, { queryKey: ['x'], queryFn: () => fetchJson('/x') });
  client.mount();
  const stop = observer.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(60_500);
  expect(asked).toBe(7);
  isAway = true;
  await vi.advanceTimersByTimeAsync(120_000);
  // Each poll and its one retry; every 10 s with two retries it would be 27.
  expect(asked - 7).toBeGreaterThan(1);
  expect(asked - 7).toBeLessThanOrEqual(10);
  isAway = false;
  // As is done at the first sign of life.
  await client.invalidateQueries();
  const before = asked;
  await vi.advanceTimersByTimeAsync(30_500);
  expect(asked - before).toBe(3);
  stop();
  client.unmount();
});
