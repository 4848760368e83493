import { z } from 'zod';
import type { PromptMessage } from './read-prompt';

/** Name of the built-in model; it says that it is rules. */
export const MODEL_NAME = 'tickmark-rules-1';

const TextPart = z.object({ type: z.literal('text'), text: z.string() });
const Message = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  content: z.union([z.string(), z.array(TextPart).min(1)]),
  name: z.string().optional(),
  refusal: z.null().optional(),
});

const ResponseFormat = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({
    type: z.literal('json_schema'),
    json_schema: z.object({
      name: z.string().regex(/^[\w-]{1,64}$/),
      description: z.string().optional(),
      schema: z.record(z.string(), z.unknown()).optional(),
      strict: z.boolean().nullish(),
    }),
  }),
]);

/**
 * What this model takes of a chat completion request. Settings that steer how an LLM chooses its words are taken and
 * have no effect: rules always answer the same. What would change the shape of the answer is refused.
 */
export const ChatRequest = z.strictObject({
  model: z.string().min(1),
  messages: z.array(Message).min(1).max(200),
  response_format: ResponseFormat.nullish(),
  stream: z.literal(false).nullish(),
  n: z.literal(1).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  max_tokens: z.int().positive().nullish(),
  max_completion_tokens: z.int().positive().nullish(),
  seed: z.int().nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  user: z.string().nullish(),
  safety_identifier: z.string().nullish(),
  prompt_cache_key: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  store: z.boolean().nullish(),
  service_tier: z.string().nullish(),
  reasoning_effort: z.string().nullish(),
  verbosity: z.string().nullish(),
});
export type ChatRequest = z.infer<typeof ChatRequest>;

/** The messages with their content as plain text; `developer` is a newer word for `system`. */
export function plainMessages(request: ChatRequest): PromptMessage[] {
  return request.messages.map(({ role, content }) => ({
    role: role === 'developer' ? 'system' : role,
    content: typeof content === 'string' ? content : content.map((part) => part.text).join('\n'),
  }));
}

/** What is wrong with a request, and with which parameter. */
export function explainRefusal(error: z.ZodError): { message: string; param: string | null } {
  const [issue] = error.issues;
  if (!issue) return { message: 'The request is not valid.', param: null };
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    return { message: `Unrecognized request argument supplied: ${key}`, param: key };
  }
  const param = issue.path.map(String).join('.');
  if (param === 'stream') return { message: 'This model does not stream. Leave `stream` out.', param };
  return { message: param === '' ? issue.message : `${param}: ${issue.message}`, param: param || null };
}
