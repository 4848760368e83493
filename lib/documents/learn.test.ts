import { describe, expect, test } from 'vitest';
import { estimateFromBytes, estimateFromText } from './estimate';
import { isNews, learn, medianError, type Sample } from './learn';

/** Attempts that took `factor` times what the uncalibrated estimate says. */
const taking = (factor: number, n: number, pages = 2, chars = 3000): Sample[] =>
  Array.from({ length: n }, () => {
    const raw = estimateFromText(pages, chars);
    return { pageCount: pages, textChars: chars, tokens: raw.tokens * factor, seconds: raw.seconds * factor };
  });

describe('learning from finished attempts', () => {
  test('M9: a new document is estimated by what others took, of every length', () => {
    const learnt = learn([...taking(1.5, 10), ...taking(1.5, 10, 80, 120_000)]);
    if (!learnt) throw new Error('nothing learnt');
    const long = estimateFromText(40, 60_000, { ...learnt, version: 3 });
    expect(long.tokens / estimateFromText(40, 60_000).tokens).toBeCloseTo(1.5, 2);
    expect(long.seconds / estimateFromText(40, 60_000).seconds).toBeCloseTo(1.5, 2);
    expect(long.version).toBe(3);
  });

  test('is robust: a third of outliers, however wild, moves no figure', () => {
    const plain = taking(2, 20);
    const wild = [...taking(1000, 5), ...taking(0.001, 4)];
    const [calm, stormy] = [learn(plain), learn([...plain, ...wild])];
    expect(stormy?.text.tokens).toBeCloseTo(calm?.text.tokens ?? 0, 6);
    expect(stormy?.tokensPerPage).toBeCloseTo(calm?.tokensPerPage ?? 0, 6);
  });

  test('too few say nothing; scans are not judged by text, nor the other way round', () => {
    expect(learn(taking(3, 4))).toBeNull();
    const learnt = learn(taking(3, 8));
    expect(learnt?.scan).toEqual({ tokens: 1, seconds: 1 });
    expect(learn(taking(3, 8, 5, 0))?.scan.tokens).toBeCloseTo(3, 3);
  });

  test("a document that could not be inspected is estimated by the agent's tokens and seconds per page", () => {
    const learnt = learn(taking(1, 9, 10, 20_000));
    if (!learnt) throw new Error('nothing learnt');
    const { tokens } = estimateFromBytes(400_000, { ...learnt, version: 1 });
    expect(tokens).toBeCloseTo(learnt.tokensPerPage * 10, -1);
  });

  test('absurd figures stay within bounds, and one that cannot be divided by is left out', () => {
    const absurd: Sample[] = [
      ...taking(1e9, 9),
      { pageCount: 0, textChars: 0, tokens: 5, seconds: 1 },
      { pageCount: 1, textChars: 0, tokens: 0, seconds: -1 },
    ];
    const learnt = learn(absurd);
    expect(learnt?.samples).toBe(9);
    expect(learnt?.text.tokens).toBe(20);
    const { tokens } = estimateFromText(2000, 10_000_000, {
      ...(learnt as NonNullable<typeof learnt>),
      version: 1,
    });
    expect(tokens).toBeLessThan(2 ** 31);
  });

  test('a version is worth making only for figures that differ', () => {
    const current = learn(taking(1, 9));
    if (!current) throw new Error('nothing learnt');
    expect(isNews(current, null)).toBe(true);
    expect(isNews({ ...current, tokensPerPage: current.tokensPerPage * 1.04 }, current)).toBe(false);
    expect(isNews({ ...current, tokensPerPage: current.tokensPerPage * 1.06 }, current)).toBe(true);
  });

  test('the error is the median of how far off each was', () => {
    const off = [1, 2, 3].map((n) => ({ actual: 100, estimated: 100 + 10 * n }));
    expect(medianError(off)).toBeCloseTo(0.2);
    expect(medianError([...off, { actual: 0, estimated: 5 }])).toBeCloseTo(0.2);
    expect(medianError([])).toBeNull();
  });
});
