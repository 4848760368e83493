import { expect, test } from 'vitest';
import { billingSourceConformance } from './conformance';
import { createEstimatingSource } from './embedded';

billingSourceConformance('estimate', async () => ({
  source: createEstimatingSource('0.05'),
  runs: [{ attemptId: 'a', runId: 'local-1', begunMs: 0, endedMs: 60_000 }],
  runSeconds: '60',
  close: async () => {},
}));

const of = (runSeconds: string) => ({ runSeconds, readRuns: async () => [] });

test('M18: without a bill, compute cost is run time × the set price, to the last digit that money has', async () => {
  const source = createEstimatingSource('0.05');
  expect(source.name).toBe('estimate');
  expect(await source.costOf(of('7200'))).toEqual({ usd: '0.1', note: null });
  expect(await source.costOf(of('1.234567'))).toMatchObject({ usd: '0.000017146764' });
  expect(await source.costOf(of('0'))).toMatchObject({ usd: '0' });
});
