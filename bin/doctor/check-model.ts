import type { Config } from '@/lib/config/schema';
import { type Finding, note, ok, problem } from './finding';

const PATIENCE_MS = 10_000;

/** Whether the model's endpoint answers and knows the model; nothing that costs a token. */
export async function checkModel(config: Config): Promise<Finding> {
  const { model } = config;
  if (!model) return ok('the built-in rules model is used (rules, not an LLM); MODEL_BASE_URL sets another');
  try {
    const answer = await fetch(`${model.baseUrl}/models`, {
      headers: model.apiKey ? { authorization: `Bearer ${model.apiKey}` } : {},
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (answer.status === 401 || answer.status === 403) {
      return problem(`MODEL_API_KEY: ${model.baseUrl} does not accept it (${answer.status})`);
    }
    if (!answer.ok) return note(`${model.baseUrl} answers, but lists no models (${answer.status})`);
    const text = await answer.text();
    if (text.includes(JSON.stringify(model.name)))
      return ok(`${model.baseUrl} answers and has ${model.name}`);
    return note(`MODEL_NAME: ${model.baseUrl} does not list ${model.name}`);
  } catch (error) {
    return problem(`MODEL_BASE_URL: ${model.baseUrl} does not answer: ${reasonOf(error as Error)}`);
  }
}

function reasonOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message;
}
