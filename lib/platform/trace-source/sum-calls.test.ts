import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSpans, type Span, SpanJson } from './span-json';
import { attemptsNamed, exactUsd, expectedCalls, sumCalls, sumManyCalls } from './sum-calls';

const span = (id: string, parentId: string | null, attributes: Record<string, unknown> = {}): Span => ({
  id,
  parentId,
  attributes: new Map(Object.entries(attributes)),
});
const used = (input: number, output = 0) => ({
  'mlflow.chat.tokenUsage': { input_tokens: input, output_tokens: output },
});
const cost = (usd: number) => ({ 'mlflow.llm.cost': { total_cost: usd } });

test('usage on a span and on one above it counts once: the upper one', () => {
  const calls = sumCalls([span('r', null, used(30)), span('a', 'r', used(10)), span('b', 'r', used(20))]);
  expect(calls.map((call) => call.inputTokens)).toEqual([30]);
});

test('the same span sent again counts once, and one whose parent has not arrived counts too', () => {
  const calls = sumCalls([
    span('a', 'not there', used(10)),
    span('a', 'not there', used(10)),
    span('b', 'r', used(5)),
  ]);
  expect(calls.map((call) => call.inputTokens)).toEqual([10, 5]);
});

test('a wrapper with usage and children with costs are one call with both', () => {
  expect(
    sumCalls([
      span('r', null),
      span('w', 'r', used(30, 3)),
      span('a', 'w', { ...used(10), ...cost(0.1), 'mlflow.llm.model': 'm' }),
      span('b', 'w', { ...used(20), ...cost(0.2) }),
    ]),
  ).toEqual([
    {
      model: 'm',
      inputTokens: 30,
      cachedInputTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 3,
      costUsd: '0.3',
      pricedBy: 'server',
    },
  ]);
});

test('B20: cached tokens that a sender counts apart are part of the input', () => {
  const usage = {
    input_tokens: 5,
    output_tokens: 1,
    cache_read_input_tokens: 30,
    cache_creation_input_tokens: 20,
  };
  expect(sumCalls([span('a', null, { 'mlflow.chat.tokenUsage': usage })])).toMatchObject([
    { inputTokens: 50, cachedInputTokens: 30, cacheWriteTokens: 20, costUsd: null, pricedBy: null },
  ]);
});

test('spans that are each other’s parents do no harm, nor a depth that no stack would hold', () => {
  expect(sumCalls([span('a', 'b', used(1)), span('b', 'a', used(1))])).toEqual([]);
  const deep = Array.from({ length: 50_000 }, (_, n) => span(`s${n}`, n === 0 ? null : `s${n - 1}`));
  expect(sumCalls([...deep, span('leaf', 's49999', used(7))])).toMatchObject([{ inputTokens: 7 }]);
});

test('odd attributes are no figures: nothing a sender writes makes a reading fail', () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), (tokens, price) => {
      const calls = sumCalls([
        span('a', null, { 'mlflow.chat.tokenUsage': tokens, 'mlflow.llm.cost': price }),
      ]);
      for (const call of calls) expect(Number.isSafeInteger(call.inputTokens + call.outputTokens)).toBe(true);
    }),
  );
  for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, -1, 'x', {}, 1e300])
    expect(exactUsd(wrong)).toBeNull();
  expect(exactUsd(1e-7)?.toFixed()).toBe('0.0000001');
});

test('attributes are read as a list of typed values, as stored texts, and with what is empty left out', () => {
  const listed = SpanJson.parse({
    span_id: 'a',
    attributes: [
      {
        key: 'mlflow.chat.tokenUsage',
        value: { kvlist_value: { values: [{ key: 'input_tokens', value: { int_value: '9' } }] } },
      },
      { key: 'tickmark.model_calls', value: { int_value: 1 } },
    ],
  });
  const stored = SpanJson.parse({
    span_id: 'a',
    parent_span_id: '',
    attributes: { 'mlflow.chat.tokenUsage': '{"input_tokens": 9}', 'tickmark.model_calls': '1' },
  });
  for (const parsed of [listed, stored]) {
    expect(sumCalls([parsed])).toMatchObject([{ inputTokens: 9, outputTokens: 0 }]);
    expect(expectedCalls([parsed])).toBe(1);
  }
  expect(SpanJson.parse({ span_id: 'a' }).attributes.size).toBe(0);
});

test('a hundred thousand calls side by side are no more work each than ten', () => {
  const many = Array.from({ length: 100_000 }, (_, n) => span(`s${n}`, n % 2 ? 'r' : 'w', used(1, 1)));
  // Anything that copies a list for each call would take minutes here.
  expect(sumCalls([span('r', null), span('w', 'r', { ...cost(1) }), ...many])).toHaveLength(50_001);
});

test('what a database can’t hold does not come out of a trace', () => {
  const [named] = sumCalls([span('a', null, { ...used(1), 'mlflow.llm.model': 'm\u0000\ud83d' })]);
  expect(named?.model).toBe('m\ufffd\ufffd');
  const says = (count: unknown) => expectedCalls([span('a', null, { 'tickmark.model_calls': count })]);
  expect([3e9, '7', 1.5, -1, 'x', null, {}].map(says)).toEqual([2 ** 31 - 1, 7, 2, null, null, null, null]);
});

test('a model’s name is not cut within a pair of surrogates', () => {
  const [named] = sumCalls([span('a', null, { ...used(1), 'mlflow.llm.model': `${'m'.repeat(199)}😀` })]);
  expect(named?.model).toBe(`${'m'.repeat(199)}\ufffd`);
});

test('root spans say whose trace it is, others do not', () => {
  const of = (id: unknown) => ({ 'tickmark.attempt_id': id });
  expect(
    attemptsNamed([
      span('r', null, of('a')),
      span('q', null, of('b')),
      span('x', null, of(1)),
      span('c', 'r', of('d')),
    ]),
  ).toEqual(['a', 'b']);
});

test.each([
  ['many calls', 'r'],
  ['one call with many below it', 'w'],
])('%s are summed in slices between which other work has its turn, to the same sums', async (_, parent) => {
  const many = Array.from({ length: 5_000 }, (_, n) => span(`s${n}`, parent, cost(0.1)));
  const spans = [span('r', null), span('w', 'r', used(1)), ...many];
  let turns = 0;
  const other = setInterval(() => {
    turns += 1;
  }, 0);
  const sums = await sumManyCalls(spans);
  clearInterval(other);
  expect(turns).toBeGreaterThan(0);
  expect(sums).toEqual(sumCalls(spans));
});

test('spans are read in slices between which other work has its turn, and one that is none spoils all', async () => {
  const listed = Array.from({ length: 5_000 }, (_, n) => ({ span_id: `s${n}` }));
  let turns = 0;
  const other = setInterval(() => {
    turns += 1;
  }, 0);
  expect(await readSpans(listed)).toHaveLength(5_000);
  clearInterval(other);
  expect(turns).toBeGreaterThan(0);
  expect(await readSpans([...listed, { span_id: 5 }])).toBeNull();
});
