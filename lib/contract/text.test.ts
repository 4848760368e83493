import fc from 'fast-check';
import { expect, test } from 'vitest';
import { storableJson, storableText, text } from './text';

test('NUL and lone surrogates become U+FFFD, everything else stays', () => {
  expect(storableText('a\u0000b\ud800c😀é')).toBe('a\ufffdb\ufffdc😀é');
});

test('any JSON from outside becomes storable: keys, nested strings, numbers that are none', () => {
  expect(
    storableJson({ 'k\u0000': ['\udfff', Number.NaN, Number.POSITIVE_INFINITY, 1, null, true] }),
  ).toEqual({
    'k\ufffd': ['\ufffd', null, null, 1, null, true],
  });
});

test('whatever the JSON, no NUL and no lone surrogate is left', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const written = JSON.stringify(storableJson(value));
      expect(written).not.toMatch(/\\u0000|\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])/i);
    }),
  );
});

test('the length limit holds', () => {
  expect(text(3).safeParse('abcd').success).toBe(false);
  expect(text(3).parse('abc')).toBe('abc');
});

test('a value that nests without end is cut off, not a crash', () => {
  const deep: unknown = JSON.parse(`${'['.repeat(100_000)}1${']'.repeat(100_000)}`);
  expect(JSON.stringify(storableJson(deep))).toBe(`${'['.repeat(100)}null${']'.repeat(100)}`);
});
