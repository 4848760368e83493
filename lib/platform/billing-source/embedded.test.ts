import { expect, test } from 'vitest';
import { createEstimatingSource } from './embedded';

test('M18: without a bill, compute cost is run time × the set price, to the last digit that money has', async () => {
  const source = createEstimatingSource('0.05');
  expect(source.name).toBe('estimate');
  expect(await source.costOf({ runSeconds: '7200' })).toBe('0.1');
  expect(await source.costOf({ runSeconds: '1.234567' })).toBe('0.000017146764');
  expect(await source.costOf({ runSeconds: '0' })).toBe('0');
});
