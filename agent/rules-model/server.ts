import { randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Logger } from '@/lib/log';
import { type AnswerPrompt, answerHere } from './answer-thread';
import { ChatRequest, explainRefusal, MODEL_NAME, plainMessages } from './chat-request';
import type { RateLimiter } from './limits';
import { type PromptMessage, readPrompt } from './read-prompt';
import { breathe, countTokensGently } from './token-count';

/** Tokens that one prompt may have. */
const CONTEXT_TOKENS = 200_000;
const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** What the chat format adds per message and per answer, as OpenAI counts. */
const TOKENS_PER_MESSAGE = 3;

const ABOUT =
  'Rules, not an LLM: finds fields of invoices, contracts and reports by labels, layout and arithmetic. Answers only the prompts of the Tickmark agent.';

type ErrorType = 'invalid_request_error' | 'rate_limit_error' | 'server_error';

function refuse(
  c: Context,
  status: 400 | 404 | 413 | 415 | 429 | 500,
  error: { message: string; type: ErrorType; code: string | null; param?: string | null },
) {
  return c.json({ error: { param: null, ...error } }, status);
}

const invalid = (message: string, code: string | null, param: string | null = null) =>
  ({ message, type: 'invalid_request_error', code, param }) as const;

function modelCard() {
  return {
    id: MODEL_NAME,
    object: 'model',
    created: 1_735_689_600,
    owned_by: 'tickmark',
    description: ABOUT,
  };
}

async function countPrompt(messages: readonly PromptMessage[]): Promise<number> {
  let tokens = TOKENS_PER_MESSAGE;
  for (const { content } of messages) {
    tokens += TOKENS_PER_MESSAGE + (await countTokensGently(content, CONTEXT_TOKENS));
    if (tokens > CONTEXT_TOKENS) break;
  }
  return tokens;
}

/** The built-in model as an HTTP app with the API of OpenAI. */
export function rulesModelApp(limiter: RateLimiter, log: Logger, answer: AnswerPrompt = answerHere): Hono {
  const app = new Hono();
  app.get('/healthz', (c) => c.json({ status: 'ok', model: MODEL_NAME, kind: 'rules' }));
  app.get('/v1/models', (c) => c.json({ object: 'list', data: [modelCard()] }));
  app.get('/v1/models/:id', (c) =>
    c.req.param('id') === MODEL_NAME
      ? c.json(modelCard())
      : refuse(
          c,
          404,
          invalid(`The model '${c.req.param('id')}' does not exist.`, 'model_not_found', 'model'),
        ),
  );
  app.post(
    '/v1/chat/completions',
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: (c) => refuse(c, 413, invalid('The request is larger than 16 MiB.', 'request_too_large')),
    }),
    (c) => complete(c, limiter, answer),
  );
  app.notFound((c) =>
    refuse(c, 404, invalid(`Unknown request URL: ${c.req.method} ${c.req.path}.`, 'unknown_url')),
  );
  app.onError((err, c) => {
    log.error({ err }, 'rules_model.unexpected_error');
    return refuse(c, 500, { message: 'The model failed on this request.', type: 'server_error', code: null });
  });
  return app;
}

async function complete(c: Context, limiter: RateLimiter, answer: AnswerPrompt) {
  // A page in a browser can't send JSON elsewhere without being asked first; other content types it can.
  if (!/^application\/json\b/i.test(c.req.header('content-type') ?? '')) {
    return refuse(c, 415, invalid('Send the request as application/json.', 'unsupported_media_type'));
  }
  let body: unknown;
  try {
    body = await c.req.json();
  } catch {
    return refuse(c, 400, invalid('The body of the request is not valid JSON.', 'invalid_json'));
  }
  const parsed = ChatRequest.safeParse(body);
  if (!parsed.success) {
    const { message, param } = explainRefusal(parsed.error);
    return refuse(c, 400, invalid(message, 'invalid_request', param));
  }
  const request = parsed.data;
  if (request.model !== MODEL_NAME) {
    return refuse(
      c,
      404,
      invalid(`The model '${request.model}' does not exist.`, 'model_not_found', 'model'),
    );
  }
  const messages = plainMessages(request);
  const promptTokens = await countPrompt(messages);
  if (promptTokens > CONTEXT_TOKENS) {
    const message = `This model takes at most ${CONTEXT_TOKENS} tokens; the messages have more.`;
    return refuse(c, 400, invalid(message, 'context_length_exceeded', 'messages'));
  }
  const admission = limiter.admit(promptTokens);
  for (const [name, value] of Object.entries(limiter.headers())) c.header(name, value);
  if (!admission.admitted) {
    const { what, retryAfterSeconds } = admission;
    c.header('Retry-After', String(retryAfterSeconds));
    const message = `Rate limit reached for ${MODEL_NAME} on ${what} per minute. Try again in ${retryAfterSeconds} s.`;
    return refuse(c, 429, { message, type: 'rate_limit_error', code: 'rate_limit_exceeded' });
  }
  const prompt = readPrompt(messages);
  if (!prompt) return refuse(c, 400, invalid(`${MODEL_NAME} is ${ABOUT}`, 'unsupported_prompt', 'messages'));
  await breathe();
  const content = JSON.stringify(await answer(prompt));
  const completionTokens = await countTokensGently(content);
  limiter.settle(completionTokens);
  return c.json(completion(content, promptTokens, completionTokens));
}

function completion(content: string, promptTokens: number, completionTokens: number) {
  return {
    id: `chatcmpl-${randomUUID()}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model: MODEL_NAME,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
      prompt_tokens_details: { cached_tokens: 0 },
    },
  };
}
