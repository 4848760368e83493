import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** An OpenAI-compatible model that finds nothing, uses odd numbers of tokens, and waits or fails when it is told to. */
export interface ToldModel {
  readonly url: string;
  /** Calls for fields of a document whose text holds this wait, until they are let go; null = none. */
  holdFor: string | null;
  /** As {@link holdFor}: they are answered with 400. */
  failFor: string | null;
  letGo(): void;
  close(): Promise<void>;
}

export const MODEL = 'told-model';

export async function startToldModel(): Promise<ToldModel> {
  let calls = 0;
  let held: (() => void)[] = [];
  const server: Server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request));
    const schema = body.response_format.json_schema;
    const isFor = (words: string | null) => words !== null && JSON.stringify(body.messages).includes(words);
    const answer = (status: number, json: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(json));
    };
    if (schema.name === 'extraction') {
      if (isFor(model.holdFor)) await new Promise<void>((resolve) => held.push(resolve));
      if (isFor(model.failFor)) return answer(400, { error: { message: 'told to' } });
    }
    const n = ++calls;
    answer(200, {
      model: MODEL,
      choices: [{ message: { content: JSON.stringify(contentFor(schema)) } }],
      usage: {
        prompt_tokens: 1_000 + 37 * n,
        completion_tokens: 13 + n,
        prompt_tokens_details: { cached_tokens: 101 * (n % 3) },
      },
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const model: ToldModel = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    holdFor: null,
    failFor: null,
    letGo() {
      model.holdFor = null;
      for (const resolve of held) resolve();
      held = [];
    },
    async close() {
      model.letGo();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return model;
}

function contentFor({
  name,
  schema,
}: {
  name: string;
  schema: { properties: Record<string, unknown> };
}): object {
  if (name === 'classification') return { documentType: 'general', confidence: 0.9 };
  const none = { value: null, line: null, quote: null, confidence: 0 };
  return Object.fromEntries(Object.keys(schema.properties).map((field) => [field, none]));
}
