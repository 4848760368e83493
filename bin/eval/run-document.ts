import { ModelClient } from '@/agent/model-client';
import { runPipeline } from '@/agent/pipeline';
import type { ModelRequest } from '@/agent/prompt';
import { readDocument } from '@/agent/reader/read-document';
import { answer } from '@/agent/rules-model/answer';
import { readPrompt } from '@/agent/rules-model/read-prompt';
import type { Config } from '@/lib/config/schema';
import { ExtractionDefinition } from '@/lib/contract/agent-definition';
import type { Result } from '@/lib/contract/result';
import type { RunInput } from '@/lib/contract/run-input';
import { AGENTS } from '@/lib/db/seed';

export type Ask = (request: ModelRequest, purpose: string) => Promise<string>;

/** The model that the settings name; without one, the built-in rules in this process. */
export function modelOf(config: Config): { name: string; ask: Ask } {
  if (!config.model) return { name: 'tickmark-rules-1', ask: askRules };
  const { baseUrl, apiKey, name } = config.model;
  const client = new ModelClient({ baseUrl, apiKey: apiKey ?? null, name });
  return { name, ask: (request, purpose) => client.ask(request, purpose) };
}

async function askRules(request: ModelRequest): Promise<string> {
  const prompt = readPrompt(request.messages);
  if (!prompt) throw new Error('the rules do not know this prompt');
  return JSON.stringify(answer(prompt));
}

/** An agent as a run is told of it. Throws when there is none of this id. */
export function agentOf(id: string): RunInput['agent'] {
  const seed = AGENTS.find((agent) => agent.id === id);
  if (!seed || seed.definition.kind === 'external') {
    throw new Error(`There is no agent "${id}". Use one of: ${AGENTS.map((agent) => agent.id).join(', ')}.`);
  }
  const candidates = AGENTS.map((agent) => agent.definition).filter(
    (definition): definition is ExtractionDefinition => ExtractionDefinition.safeParse(definition).success,
  );
  return { id: seed.id, version: 1, definition: seed.definition, candidates };
}

/** One document through the whole pipeline in this process. */
export function runDocument(file: string, agentId: string, ask: Ask, maxPages: number): Promise<Result> {
  return runPipeline(agentOf(agentId), {
    read: () => readDocument(file, maxPages),
    ask,
    onProgress: () => undefined,
  });
}
