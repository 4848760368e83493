import { expect, test } from 'vitest';
import { estimateFromBytes, estimateFromText } from './estimate';

test('more text and more pages are estimated as more tokens and more seconds', () => {
  const short = estimateFromText(1, 2_000);
  const long = estimateFromText(200, 500_000);
  expect(long.tokens).toBeGreaterThan(short.tokens * 50);
  expect(long.seconds).toBeGreaterThan(short.seconds);
});

test('a scan is estimated by its pages, as it has no text to count yet', () => {
  expect(estimateFromText(10, 0).tokens).toBeGreaterThan(10_000);
  expect(estimateFromText(10, 0).seconds).toBeGreaterThan(estimateFromText(10, 30_000).seconds);
});

test('from bytes alone there is always a usable estimate', () => {
  for (const bytes of [1, 40_000, 200_000_000, Number.MAX_SAFE_INTEGER]) {
    const { tokens, seconds } = estimateFromBytes(bytes);
    expect(Number.isInteger(tokens) && tokens > 0 && tokens < 2 ** 31).toBe(true);
    expect(seconds).toBeGreaterThan(0);
  }
});
