import type { Attributes } from '@opentelemetry/api';
import type { CallCost, CallTokens } from '../call-cost';
import type { ModelCall } from '../usage-tally';

/**
 * What a span says of a model call: OpenTelemetry's names (semantic conventions for generative AI) and MLflow's own beside
 * them, since Databricks stores spans as they come and translates nothing. Usage, model and cost are on this span alone,
 * never on the root: a server that adds up every span would count them twice. No prompt, answer or document text.
 */
export function callAttributes(
  call: Pick<ModelCall, 'model' | 'purpose'>,
  tokens: CallTokens,
  cost: CallCost | null,
  endpoint: { readonly baseUrl: string; readonly model: string },
): Attributes {
  const provider = providerOf(endpoint.baseUrl);
  return {
    'mlflow.spanType': 'CHAT_MODEL',
    'mlflow.chat.tokenUsage': JSON.stringify({
      input_tokens: tokens.inputTokens,
      output_tokens: tokens.outputTokens,
      total_tokens: tokens.inputTokens + tokens.outputTokens,
      cache_read_input_tokens: tokens.cachedInputTokens,
      cache_creation_input_tokens: tokens.cacheWriteTokens,
    }),
    'mlflow.llm.model': call.model,
    // Where we know no price, none is said, never 0.
    ...(cost ? { 'mlflow.llm.cost': costJson(cost), 'tickmark.price': 'price_table' } : {}),
    ...(provider ? { 'mlflow.llm.provider': provider, 'gen_ai.provider.name': provider } : {}),
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': endpoint.model,
    'gen_ai.response.model': call.model,
    'gen_ai.usage.input_tokens': tokens.inputTokens,
    'gen_ai.usage.output_tokens': tokens.outputTokens,
    'gen_ai.usage.cache_read.input_tokens': tokens.cachedInputTokens,
    'gen_ai.usage.cache_creation.input_tokens': tokens.cacheWriteTokens,
    'tickmark.purpose': call.purpose,
  };
}

/** Written digit by digit: 0.0000001 must not become 1e-7 for readers that want a plain number. */
function costJson({ input, output, total }: CallCost): string {
  return `{"input_cost":${input},"output_cost":${output},"total_cost":${total}}`;
}

/** Hosts of endpoints whose provider MLflow's price catalogue knows by this name. */
const PROVIDERS: readonly (readonly [pattern: RegExp, provider: string])[] = [
  [/(^|\.)openai\.azure\.com$/, 'azure'],
  [/(^|\.)api\.openai\.com$/, 'openai'],
  [/(^|\.)api\.anthropic\.com$/, 'anthropic'],
  [/(^|\.)api\.mistral\.ai$/, 'mistral'],
  [/(^|\.)(cloud\.databricks\.com|azuredatabricks\.net|gcp\.databricks\.com)$/, 'databricks'],
];

/** A name that is not in the catalogue makes a server ask the network for it, so an endpoint that we don't know has none. */
export function providerOf(baseUrl: string): string | null {
  const { hostname } = new URL(baseUrl);
  return PROVIDERS.find(([pattern]) => pattern.test(hostname))?.[1] ?? null;
}
