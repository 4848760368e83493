import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FIELDS_BY_DOCUMENT_TYPE, InvoiceFields } from '@/lib/contract/fields';
import { createLogger } from '@/lib/log';
import { classifyRequest, extractRequest, parseClassifyAnswer, parseExtractAnswer } from '../prompt';
import { RateLimiter } from './limits';
import { rulesModelApp } from './server';

const DEFINITION = {
  kind: 'extract' as const,
  documentType: 'invoice',
  instructions: 'Extract.',
  schema: z.toJSONSchema(InvoiceFields),
};
const PAGE = `=== page 1 of 1 ===
1:1| Nordlicht Druckerei GmbH
1:2| Rechnung Nr. 2024-17 vom 05.03.2024
1:3| Summe netto      100,00 €
1:4| MwSt. 19%         19,00 €
1:5| Gesamtbetrag     119,00 €`;

const model = (
  limits = { requestsPerMinute: null as number | null, tokensPerMinute: null as number | null },
) => rulesModelApp(new RateLimiter(limits), createLogger('test', 'silent'));

function post(app: ReturnType<typeof model>, body: unknown) {
  return app.request('/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

function chat(request: ReturnType<typeof extractRequest>) {
  return {
    model: 'tickmark-rules-1',
    messages: request.messages,
    temperature: 0,
    response_format: {
      type: 'json_schema',
      json_schema: { name: request.schemaName, schema: request.schema, strict: true },
    },
  };
}

const Completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })),
  usage: z.object({ prompt_tokens: z.int().positive(), completion_tokens: z.int().positive() }),
});
const Refusal = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    code: z.string().nullable(),
    param: z.string().nullable(),
  }),
});

describe('rules model', () => {
  it('answers the agent’s prompt so that its schema accepts every field', async () => {
    const response = await post(model(), chat(extractRequest(DEFINITION, PAGE)));
    expect(response.status).toBe(200);
    const completion = Completion.parse(await response.json());
    const { fields, problems } = parseExtractAnswer(DEFINITION, completion.choices[0]?.message.content ?? '');
    expect(problems).toEqual([]);
    const values = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
    expect(values).toMatchObject({
      invoice_number: '2024-17',
      issue_date: '2024-03-05',
      due_date: null,
      buyer: null,
      currency: 'EUR',
      net_total: '100.00',
      tax_total: '19.00',
      grand_total: '119.00',
    });
  });

  it('tells the kind of a document', async () => {
    const candidates = Object.entries(FIELDS_BY_DOCUMENT_TYPE).map(([documentType, fields]) => ({
      ...DEFINITION,
      documentType,
      schema: z.toJSONSchema(fields),
    }));
    const response = await post(model(), chat(classifyRequest(candidates, PAGE)));
    const completion = Completion.parse(await response.json());
    const chosen = parseClassifyAnswer(candidates, completion.choices[0]?.message.content ?? '');
    expect(chosen?.definition.documentType).toBe('invoice');
  });

  it('says in its card that it is rules', async () => {
    const response = await model().request('/v1/models');
    expect(JSON.stringify(await response.json())).toContain('Rules, not an LLM');
    expect((await model().request('/healthz')).status).toBe(200);
  });

  it.each([
    ['no JSON', '{', 400],
    ['an unknown argument', { ...chat(extractRequest(DEFINITION, PAGE)), temprature: 1 }, 400],
    ['streaming', { ...chat(extractRequest(DEFINITION, PAGE)), stream: true }, 400],
    ['no messages', { model: 'tickmark-rules-1', messages: [] }, 400],
    ['another model', { model: 'gpt-4', messages: [{ role: 'user', content: 'hi' }] }, 404],
    ['small talk', { model: 'tickmark-rules-1', messages: [{ role: 'user', content: 'hi' }] }, 400],
  ])('refuses %s in the words of the OpenAI API', async (_, body, status) => {
    const response = await post(model(), body);
    expect(response.status).toBe(status);
    expect(Refusal.parse(await response.json()).error.type).toBe('invalid_request_error');
  });

  it('refuses what is no JSON request and what is too long', async () => {
    const form = await model().request('/v1/chat/completions', { method: 'POST', body: 'a=b' });
    expect(form.status).toBe(415);
    const long = await post(model(), chat(extractRequest(DEFINITION, 'word '.repeat(250_000))));
    expect(Refusal.parse(await long.json()).error.code).toBe('context_length_exceeded');
  });

  it('answers 429 with Retry-After when its own limit is reached', async () => {
    const app = model({ requestsPerMinute: 1, tokensPerMinute: null });
    expect((await post(app, chat(extractRequest(DEFINITION, PAGE)))).status).toBe(200);
    const refused = await post(app, chat(extractRequest(DEFINITION, PAGE)));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Refusal.parse(await refused.json()).error.code).toBe('rate_limit_exceeded');
  });
});
