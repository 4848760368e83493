import { Agent, request } from 'node:http';
import { now } from './clock';

/** A request that is ready to be sent. */
export interface Prepared {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** When an answer was there, and how long it took, in milliseconds; `status` is HTTP's. */
export interface Answered {
  readonly at: number;
  readonly took: number;
  readonly status: number;
}

/** Sends all over so many kept connections, each as soon as the one before it was answered, until `until`. */
export async function sendAll(
  url: string,
  prepared: readonly Prepared[],
  { connections, until }: { readonly connections: number; readonly until: number },
): Promise<Answered[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const answers: Answered[] = [];
  const left = prepared.values();
  const lane = async () => {
    for (const one of left) {
      if (now() > until) return;
      const at = now();
      const status = await post(url, agent, one);
      answers.push({ at: now(), took: now() - at, status });
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, lane));
  } finally {
    agent.destroy();
  }
  return answers;
}

function post(url: string, agent: Agent, { headers, body }: Prepared): Promise<number> {
  return new Promise((resolve, reject) => {
    const length = String(Buffer.byteLength(body));
    const sent = request(
      url,
      {
        method: 'POST',
        agent,
        headers: { ...headers, 'content-type': 'application/json', 'content-length': length },
      },
      (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode ?? 0));
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });
}
