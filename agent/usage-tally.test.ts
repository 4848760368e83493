import { expect, test } from 'vitest';
import { type RawUsage, tallyUsage } from './usage-tally';

const call = (raw: RawUsage | null) => ({
  purpose: 'extract',
  model: 'm',
  seconds: 1,
  raw,
  estimatedTokens: { input: 7, output: 3 },
});

test('usage is the sum of all calls and each call is kept as the provider gave it', () => {
  const raw = { prompt_tokens: 100, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 40 } };
  expect(tallyUsage([call(raw), call({ prompt_tokens: 10, completion_tokens: 1 })])).toMatchObject({
    model: 'm',
    inputTokens: 110,
    cachedInputTokens: 40,
    outputTokens: 21,
    calls: [{ usage: raw }, {}],
  });
});

test('tokens are counted here where the provider gives no usage', () => {
  expect(tallyUsage([call(null)])).toMatchObject({
    inputTokens: 7,
    outputTokens: 3,
    calls: [{ usage: null }],
  });
});

test('B20: input includes cached and written tokens also where a provider counts them apart', () => {
  const raw = { prompt_tokens: 5, cache_read_input_tokens: 30, cache_creation_input_tokens: 20 };
  expect(tallyUsage([call(raw)])).toMatchObject({
    inputTokens: 50,
    cachedInputTokens: 30,
    cacheWriteTokens: 20,
  });
});

test('odd counts do no harm', () => {
  expect(tallyUsage([call({ prompt_tokens: Number.NaN, completion_tokens: -4 })])).toMatchObject({
    inputTokens: 0,
    outputTokens: 0,
  });
});
