import { expect, test } from 'vitest';
import { z } from 'zod';
import { FIELDS_BY_DOCUMENT_TYPE, InvoiceFields } from '@/lib/contract/fields';
import {
  classifyRequest,
  extractRequest,
  parseClassifyAnswer,
  parseExtractAnswer,
  repairRequest,
} from './prompt';

const definition = (type: keyof typeof FIELDS_BY_DOCUMENT_TYPE) => ({
  kind: 'extract' as const,
  documentType: type,
  instructions: 'Take the figures as printed.',
  schema: z.toJSONSchema(FIELDS_BY_DOCUMENT_TYPE[type]) as Record<string, unknown>,
});
const invoice = definition('invoice');
const shown = (value: unknown, line = '1:2', quote = 'q') => ({ value, line, quote, confidence: 0.9 });

test('the task stands in the first line and the document between its markers', () => {
  const { messages } = extractRequest(invoice, '=== page 1 of 1 ===\n1:1| Rechnung');
  expect(messages[0]?.content.split('\n')[0]).toBe('Task: extract invoice');
  expect(messages[1]?.content).toBe('<document>\n=== page 1 of 1 ===\n1:1| Rechnung\n</document>');
});

test('the response schema uses only what strict structured output knows everywhere', () => {
  for (const type of ['invoice', 'contract', 'financial-report', 'general'] as const) {
    const text = JSON.stringify(extractRequest(definition(type), '').schema);
    expect(text).not.toMatch(/anyOf|pattern|minLength|\$schema/);
  }
  const { schema } = extractRequest(invoice, '');
  expect(schema.required).toEqual(Object.keys(InvoiceFields.shape));
  expect(schema).toMatchObject({
    properties: {
      net_total: { properties: { value: { type: ['string', 'null'] } }, additionalProperties: false },
      line_items: {
        properties: { value: { type: ['array', 'null'], items: { required: ['item', 'line', 'quote'] } } },
      },
    },
  });
});

test('an answer is taken apart into fields; lists keep the place of each element', () => {
  const answer = {
    ...Object.fromEntries(Object.keys(InvoiceFields.shape).map((name) => [name, shown(null)])),
    grand_total: shown('529.87'),
    line_items: {
      value: [
        {
          item: { description: 'A4', quantity: '20', unit_price: '9.90', amount: '198.00' },
          line: '1:17',
          quote: null,
        },
      ],
      line: null,
      quote: null,
      confidence: 0.8,
    },
  };
  const { fields, problems } = parseExtractAnswer(invoice, `\`\`\`json\n${JSON.stringify(answer)}\n\`\`\``);
  expect(problems).toEqual([]);
  expect(fields.map((field) => field.name)).toEqual(Object.keys(InvoiceFields.shape));
  expect(fields.find((field) => field.name === 'grand_total')).toMatchObject({
    value: '529.87',
    line: '1:2',
  });
  expect(fields.find((field) => field.name === 'line_items')?.items?.[0]?.line).toBe('1:17');
});

test('a value that does not follow its schema is named and becomes null, the others stay', () => {
  const answer = {
    ...Object.fromEntries(Object.keys(InvoiceFields.shape).map((name) => [name, shown(null)])),
    grand_total: shown('1.234,56'),
    currency: shown('EUR'),
    line_items: shown([]),
  };
  const { fields, problems } = parseExtractAnswer(invoice, JSON.stringify(answer));
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain('grand_total');
  expect(fields.find((field) => field.name === 'grand_total')?.value).toBeNull();
  expect(fields.find((field) => field.name === 'currency')?.value).toBe('EUR');
});

test.each(['', 'I cannot help with that', '[]', 'null', '{"invoice_number":'])(
  '%j is no answer',
  (content) => {
    const { fields, isObject } = parseExtractAnswer(invoice, content);
    expect(isObject).toBe(content.startsWith('{') && content.endsWith('}'));
    expect(fields.every((field) => field.value === null)).toBe(true);
  },
);

test('names from the prototype are not taken for answers', () => {
  const odd = { ...invoice, schema: { type: 'object', properties: { constructor: { type: 'string' } } } };
  expect(parseExtractAnswer(odd, '{}').problems).toHaveLength(1);
});

test('classifying names one of the kinds or nothing', () => {
  const kinds = [invoice, definition('contract')];
  expect(classifyRequest(kinds, '').messages[0]?.content).toMatch(/^Task: classify\n/);
  const chosen = parseClassifyAnswer(kinds, '{"documentType":"contract","confidence":0.7}');
  expect(chosen).toMatchObject({ confidence: 0.7, definition: { documentType: 'contract' } });
  expect(parseClassifyAnswer(kinds, '{"documentType":"poem","confidence":1}')).toBeNull();
});

test('a repair shows the refused answer and what was wrong with it', () => {
  const { messages } = repairRequest(extractRequest(invoice, ''), '{}', 'currency: expected string');
  expect(messages.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'user']);
  expect(messages[3]?.content).toContain('currency: expected string');
});
