import { Hono } from 'hono';
import { z } from 'zod';
import { MODEL_NAME } from '@/agent/rules-model/chat-request';
import { RateLimiter } from '@/agent/rules-model/limits';
import { rulesModelApp } from '@/agent/rules-model/server';
import { createLogger } from '@/lib/log';
import { requireGrant } from './identities';
import { invalid, malformed, missing, Refusal } from './refusal';
import { type Call, type Env, readBody } from './requests';

/**
 * One serving endpoint for chat, as OpenAI clients call it and by its own address
 * (databricks-sdk-py `mixins/open_ai_client.py`, [https://docs.databricks.com/aws/en/machine-learning/model-serving/model-serving-limits]).
 * Its answers come from the product's rules model.
 */
export interface ServingSettings {
  /** Name of the endpoint. */
  readonly endpoint: string;
  /** Reasoning models answer with blocks in the place of text (structured-outputs pages of the documents). */
  contentAsBlocks: boolean;
  /** Tokens and queries per minute; null: none. Refused with 429 and without headers until there is room again. */
  limits: { tokensPerMinute: number | null; requestsPerMinute: number | null };
}

const MAX_BODY_BYTES = 16 * 1024 ** 2;

const Chat = z.looseObject({
  model: z.string().optional(),
  messages: z.array(z.looseObject({})).min(1),
  stream: z.boolean().optional(),
  client_request_id: z.string().optional(),
  usage_context: z.record(z.string(), z.string()).optional(),
});

export interface Serving {
  readonly routes: Hono<Env>;
  /** Applies `settings.limits` anew, with nothing used. */
  reset(): void;
  /** The usage that was recorded: `system.serving.endpoint_usage` has these keys of the caller's. */
  readonly usage: readonly { readonly clientRequestId: string | null; readonly tokens: number }[];
}

export function createServing(settings: ServingSettings): Serving {
  const log = createLogger('serving', 'silent');
  const model = () => rulesModelApp(new RateLimiter(settings.limits), log);
  const usage: { clientRequestId: string | null; tokens: number }[] = [];
  let current = model();

  const complete = async (c: Call, named: string | undefined): Promise<Response> => {
    requireGrant(c.get('token'), 'endpoint:CAN_QUERY', 'serving.serving-endpoints', 'the endpoint');
    if (Number(c.req.header('content-length') ?? 0) > MAX_BODY_BYTES) {
      throw new Refusal(413, 'BAD_REQUEST', 'Request size cannot exceed 16777216 bytes.');
    }
    const body = await readBody(c, Chat);
    const name = named ?? body.model;
    if (name !== settings.endpoint) throw missing(`Endpoint with name '${name}' does not exist.`);
    // False in databricks-sdk-py, true in the prose of the documents: only saying it is safe.
    if (body.stream === undefined)
      throw malformed('stream: what is the default here is not confirmed; send it.');
    if (body.stream) throw invalid('The stand-in does not stream answers of models.');
    const { client_request_id, usage_context, stream: _stream, ...request } = body;
    const answer = await current.request('/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...request, model: MODEL_NAME }),
    });
    const said = (await answer.json()) as Completion;
    if (!answer.ok) throw refusalOf(answer.status, said.error?.message ?? 'refused');
    usage.push({ clientRequestId: client_request_id ?? null, tokens: said.usage.total_tokens });
    return Response.json(settings.contentAsBlocks ? inBlocks(said) : said);
  };

  const routes = new Hono<Env>();
  routes.post('/serving-endpoints/chat/completions', (c) => complete(c, undefined));
  routes.post('/serving-endpoints/:name/invocations', (c) => complete(c, c.req.param('name')));
  routes.get('/api/2.0/serving-endpoints/:name', (c) => {
    requireGrant(c.get('token'), 'endpoint:CAN_QUERY', 'serving.serving-endpoints', 'the endpoint');
    const name = c.req.param('name');
    if (name !== settings.endpoint) throw missing(`Endpoint with name '${name}' does not exist.`);
    return c.json({ name, task: 'llm/v1/chat', state: { ready: 'READY', config_update: 'NOT_UPDATING' } });
  });
  return {
    routes,
    usage,
    reset() {
      current = model();
    },
  };
}

interface Completion {
  readonly choices: readonly { readonly message: { readonly content: string } }[];
  readonly usage: { readonly total_tokens: number };
  readonly error?: { readonly message: string };
}

function inBlocks(said: Completion) {
  const choices = said.choices.map((choice) => ({
    ...choice,
    message: {
      ...choice.message,
      content: [
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Looking for labels.' }] },
        { type: 'text', text: choice.message.content },
      ],
    },
  }));
  return { ...said, choices };
}

/** No header tells how long to wait: none is documented. */
function refusalOf(status: number, message: string): Refusal {
  if (status === 429) return new Refusal(429, 'REQUEST_LIMIT_EXCEEDED', message);
  return new Refusal(status, status === 413 ? 'BAD_REQUEST' : 'INVALID_PARAMETER_VALUE', message);
}
