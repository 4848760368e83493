import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Usage } from '@/lib/contract/callback';
import { QueueWorld } from '@/test/queue-world';
import { priceUsage } from './price';

let world: QueueWorld;
beforeAll(async () => {
  world = await QueueWorld.create();
});
afterAll(() => world.close());

const usage = (changes: Partial<Usage>) => Usage.parse({ model: 'tickmark-rules-1', ...changes });

describe('priceUsage', () => {
  it('B22, invariant 7: is exact to the last digit', async () => {
    expect(await priceUsage(world.db, usage({ inputTokens: 1234, outputTokens: 210 }))).toBe(
      '0.000207400000',
    );
    expect(await priceUsage(world.db, usage({ inputTokens: 3, outputTokens: 0 }))).toBe('0.000000300000');
    expect(await priceUsage(world.db, usage({}))).toBe('0.000000000000');
  });

  it('B21: an unknown model is unpriced, never 0, and so is none', async () => {
    expect(await priceUsage(world.db, usage({ model: 'gpt-nobody-knows', inputTokens: 10 }))).toBeNull();
    expect(await priceUsage(world.db, usage({ model: null, inputTokens: 10 }))).toBeNull();
  });

  it('takes the price in force now, not one of the past or the future', async () => {
    const price = (validFrom: string, usd: string) =>
      world.db.execute(sql`
        insert into tickmark.model_prices
        values ('m', ${validFrom}::timestamptz, ${usd}, ${usd}, ${usd}, ${usd}, false, 'test')`);
    await price('2020-01-01', '1');
    await price('2021-01-01', '2.5');
    await price('2999-01-01', '9');
    const cost = await priceUsage(
      world.db,
      usage({ model: 'm', inputTokens: 1_000_000, outputTokens: 1_000_000 }),
    );
    expect(cost).toBe('5.000000000000');
  });

  it('prices cache reads and writes at their own rates', async () => {
    await world.db.execute(sql`
      insert into tickmark.model_prices values ('cached', '2020-01-01', 10, 1, 12.5, 30, false, 'test')`);
    const cost = await priceUsage(
      world.db,
      usage({
        model: 'cached',
        inputTokens: 1_000_000,
        cachedInputTokens: 500_000,
        cacheWriteTokens: 100_000,
        outputTokens: 10,
      }),
    );
    expect(cost).toBe('5.750300000000');
  });

  it('invariant 9: a price nobody meant can not overflow the column', async () => {
    await world.db.execute(sql`
      insert into tickmark.model_prices values ('absurd', '2020-01-01', 999999999999, 0, 0, 0, false, 'test')`);
    const cost = await priceUsage(world.db, usage({ model: 'absurd', inputTokens: 1_000_000_000_000 }));
    expect(cost).toBe('999999999999');
  });
});
