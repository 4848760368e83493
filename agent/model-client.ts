import { setTimeout as sleep } from 'node:timers/promises';
import OpenAI, { APIConnectionError, APIError } from 'openai';
import { z } from 'zod';
import type { RunInput } from '@/lib/contract/run-input';
import type { ModelMessage, ModelRequest } from './prompt';
import { RunFailure } from './run-failure';
import { loadTokenCounter } from './tokens';
import { type ModelCall, RawUsage } from './usage-tally';

/** Waits that the model asks for are kept inside the run up to this; longer ones go back to the queue. */
const MAX_WAIT_SECONDS = 20;
const MAX_TRIES = 4;
/** One answer may take this long. */
const CALL_TIMEOUT_MS = 180_000;

/** Some models that reason answer in blocks; what they say is in those of type `text`. */
const Content = z
  .union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))])
  .transform((content) =>
    typeof content === 'string'
      ? content
      : content.map(({ type, text }) => (type === 'text' ? (text ?? '') : '')).join(''),
  );

/** What is read of an answer; the client library does not check it. */
const Completion = z.object({
  model: z.string().nullish(),
  choices: z.array(z.object({ message: z.object({ content: Content.nullish() }) })).min(1),
  usage: RawUsage.nullish().catch(null),
});

/** Asks any endpoint that speaks the OpenAI chat API. Counts every call, also the refused answers. */
export class ModelClient {
  readonly calls: ModelCall[] = [];
  private readonly openai: OpenAI;
  /** Parameters that this endpoint turned out not to know. */
  private readonly unsupported = new Set<'temperature' | 'response_format' | 'pictures'>();

  /**
   * @param onCall after each call, for reporting usage while the run goes on
   * @param freshToken asked before each call where the run has no key
   */
  constructor(
    private readonly model: RunInput['model'],
    private readonly onCall: (call: ModelCall) => void = () => undefined,
    freshToken?: () => Promise<string>,
  ) {
    this.openai = new OpenAI({
      baseURL: model.baseUrl,
      // The client insists on some key; local endpoints want none.
      apiKey: freshToken ?? model.apiKey ?? 'none',
      maxRetries: 0,
      timeout: CALL_TIMEOUT_MS,
      // Only what the run was told counts, nothing from the environment.
      organization: null,
      project: null,
      logLevel: 'off',
    });
  }

  /**
   * One answer of the model as text.
   * @throws RunFailure `rate_limited` (with the wait asked for) or `model_unavailable`
   */
  async ask(request: ModelRequest, purpose: string): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.call(request, purpose);
      } catch (error) {
        // What was thrown while a token was asked for comes wrapped.
        if (error instanceof Error && error.cause instanceof RunFailure) throw error.cause;
        if (this.learnUnsupported(error)) continue;
        const failure = explain(error, this.model.baseUrl);
        const { code, retryable, retryAfterSeconds } = failure.attemptError;
        const wait = retryAfterSeconds ?? 2 ** (attempt - 1);
        const hopeless = !(error instanceof APIError) || !retryable || refusesAll(error.status);
        if (hopeless || attempt >= MAX_TRIES || wait > MAX_WAIT_SECONDS) throw failure;
        // What the model asks for is a floor; the jitter keeps runs that were refused together apart.
        await sleep(1_000 * (wait + Math.random() * (code === 'rate_limited' ? 1 + wait / 4 : 1)));
      }
    }
  }

  private async call(request: ModelRequest, purpose: string): Promise<string> {
    const started = performance.now();
    const body = await this.openai.chat.completions.create({
      model: this.model.name,
      // Said outright: the documents of Model Serving disagree about what it does otherwise.
      stream: false,
      messages: request.messages.map((message) => this.chatMessage(message)),
      ...(this.unsupported.has('temperature') ? {} : { temperature: 0 }),
      ...(this.unsupported.has('response_format')
        ? {}
        : {
            response_format: {
              type: 'json_schema' as const,
              json_schema: { name: request.schemaName, schema: request.schema, strict: true },
            },
          }),
    });
    const completion = Completion.parse(body);
    const content = completion.choices[0]?.message.content ?? '';
    const call: ModelCall = {
      purpose,
      model: completion.model || this.model.name,
      seconds: Math.round(performance.now() - started) / 1000,
      raw: completion.usage ?? null,
      estimatedTokens: completion.usage ? NONE : await estimate(request, content),
    };
    this.calls.push(call);
    this.onCall(call);
    return content;
  }

  private chatMessage({ role, content, pictures = [] }: ModelMessage): ChatMessage {
    if (role !== 'user' || pictures.length === 0 || this.unsupported.has('pictures'))
      return { role, content };
    const shown = pictures.flatMap(({ page, jpeg }) => [
      { type: 'text' as const, text: `Picture of page ${page}:` },
      { type: 'image_url' as const, image_url: { url: `data:image/jpeg;base64,${jpeg}` } },
    ]);
    return { role, content: [{ type: 'text', text: content }, ...shown] };
  }

  /** True when the endpoint refused a parameter that can be left out: the next try goes without. */
  private learnUnsupported(error: unknown): boolean {
    if (!(error instanceof APIError) || (error.status !== 400 && error.status !== 422)) return false;
    const parameter = /temperature/i.test(error.message)
      ? 'temperature'
      : /response_format|json_schema|structured output/i.test(error.message)
        ? 'response_format'
        : /image|vision|multi-?modal/i.test(error.message)
          ? 'pictures'
          : null;
    if (parameter === null || this.unsupported.has(parameter)) return false;
    this.unsupported.add(parameter);
    return true;
  }
}

type ChatMessage = OpenAI.Chat.Completions.ChatCompletionMessageParam;

const NONE = { input: 0, output: 0 };

async function estimate(request: ModelRequest, answer: string): Promise<ModelCall['estimatedTokens']> {
  const countTokens = await loadTokenCounter();
  const input = request.messages.reduce((sum, { content }) => sum + countTokens(content), 0);
  return { input, output: countTokens(answer) };
}

/**
 * An answer that is about our key, our bill or the address: every document would get it, so none is to fail by it. The
 * agent waits as in any other outage, and goes on when the setting is mended.
 */
function refusesAll(status: number | undefined): boolean {
  return status !== undefined && [401, 402, 403, 404].includes(status);
}

/** What went wrong, in words for the person who set the model up. */
function explain(error: unknown, baseUrl: string): RunFailure {
  if (error instanceof APIConnectionError) {
    return new RunFailure('model_unavailable', `The model at ${baseUrl} could not be reached.`, {
      cause: error,
    });
  }
  if (!(error instanceof APIError)) {
    // A body that is no JSON and the like: something stands there that is no model.
    return new RunFailure('model_unavailable', `The answer of ${baseUrl} is not that of a model.`, {
      cause: error,
    });
  }
  const { status } = error;
  if (status === 429) {
    return new RunFailure('rate_limited', 'The model asked for fewer requests.', {
      retryAfterSeconds: retryAfter(error.headers),
      cause: error,
    });
  }
  if (refusesAll(status)) {
    const setting = status === 404 ? 'MODEL_BASE_URL and MODEL_NAME' : 'MODEL_API_KEY';
    const what = status === 404 ? 'is not there' : 'refused our key';
    return new RunFailure(
      'model_unavailable',
      `The model at ${baseUrl} ${what} (${status}). Check ${setting}.`,
      { cause: error },
    );
  }
  if (status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 409) {
    return new RunFailure(
      'model_unavailable',
      `The model at ${baseUrl} refused the request (${status}): ${error.message.slice(0, 300)}. Check MODEL_BASE_URL and MODEL_NAME.`,
      { retryable: false, cause: error },
    );
  }
  return new RunFailure('model_unavailable', `The model at ${baseUrl} failed (${status ?? 'no status'}).`, {
    retryAfterSeconds: retryAfter(error.headers),
    cause: error,
  });
}

/** Seconds of a `Retry-After` header (a number or a date), of at most a day; null without one. */
export function retryAfter(headers: Headers | undefined, now: number = Date.now()): number | null {
  const value = headers?.get('retry-after');
  if (value === null || value === undefined || value === '') return null;
  const seconds = /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : (Date.parse(value) - now) / 1000;
  return Number.isFinite(seconds) ? Math.min(86_400, Math.max(0, Math.ceil(seconds))) : null;
}
