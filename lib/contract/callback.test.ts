import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { Callback } from './callback';

const head = { taskId: randomUUID(), attemptId: randomUUID() };

test('the example of the contract is accepted as it stands', () => {
  const parsed = Callback.parse({
    type: 'attempt.succeeded',
    ...head,
    runId: 'run-1',
    traceId: 'tr-1',
    result: {
      documentType: 'invoice',
      confidence: 0.97,
      warnings: [{ code: 'repaired_pdf', message: 'repaired' }],
      fields: [{ name: 'grand_total', value: '1234.50', confidence: 0.99, page: 1, box: [1, 2, 3, 4] }],
    },
    usage: {
      model: 'm',
      inputTokens: 1234,
      cachedInputTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 210,
      costUsd: '0.001230',
      calls: [{ any: 'thing' }],
    },
  });
  expect(parsed.usage?.costUsd).toBe('0.001230');
});

test.each([
  ['a negative token count', { usage: { inputTokens: -1 } }],
  ['a token count beyond all use', { usage: { inputTokens: 1e18 } }],
  ['a fraction of a token', { usage: { outputTokens: 1.5 } }],
  ['money as a number', { usage: { costUsd: 0.1 } }],
  ['money with an exponent', { usage: { costUsd: '1e3' } }],
  ['a confidence over one', { result: { confidence: 1.01 } }],
  ['page zero', { result: { fields: [{ name: 'x', value: null, page: 0 }] } }],
  ['a box of three', { result: { fields: [{ name: 'x', value: null, box: [1, 2, 3] }] } }],
  ['a field without a name', { result: { fields: [{ name: '', value: null }] } }],
])('%s is refused', (_, wrong) => {
  const body = { type: 'attempt.succeeded', ...head, result: {}, ...wrong };
  expect(Callback.safeParse(body).success).toBe(false);
});

test('B39: an id that is none, an unknown type and a success without a result are refused', () => {
  expect(Callback.safeParse({ type: 'attempt.progress', taskId: '1', attemptId: '2' }).success).toBe(false);
  expect(Callback.safeParse({ type: 'attempt.done', ...head }).success).toBe(false);
  expect(Callback.safeParse({ type: 'attempt.succeeded', ...head }).success).toBe(false);
});

test('text that Postgres could not store is made storable, wherever it stands', () => {
  const parsed = Callback.parse({
    type: 'attempt.succeeded',
    ...head,
    result: {
      fields: [{ name: 'a\u0000', value: { deep: ['\ud800'] } }],
      warnings: [{ code: 'x', message: '\u0000' }],
    },
  });
  expect(JSON.stringify(parsed)).not.toMatch(/\\u0000|\\ud800/);
});

test('it can be published as JSON Schema for agent authors', () => {
  expect(z.toJSONSchema(Callback, { io: 'input', unrepresentable: 'any' })).toHaveProperty('oneOf');
});
