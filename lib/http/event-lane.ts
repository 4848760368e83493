import 'server-only';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { clientScope } from '@/lib/auth/roles';
import { longestStreamMs } from '@/lib/live/longest-stream';
import { admit } from './route';
import { sseOverNode } from './sse-over-node';
import { writeProblem } from './write-problem';

/**
 * Answers `GET /api/v1/events` past the framework: through its streams an event costs each reader several times what
 * writing it to a socket does, and a reader several times the memory. Who may listen is decided as in every route.
 */
export async function passEvents(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const requestId = randomUUID();
  try {
    const { runtime, user } = await admit(asWebRequest(request), 'events.read');
    if (response.destroyed) return;
    sseOverNode(response, { 'x-request-id': requestId }, (writer) => {
      const timer = setTimeout(() => writer.end(), longestStreamMs()).unref();
      const leave = runtime.live.subscribe({
        scope: clientScope(user),
        writer,
        returning: 'last-event-id' in request.headers,
      });
      return () => {
        clearTimeout(timer);
        leave();
      };
    });
  } catch (error) {
    await writeProblem(request, response, requestId, error);
  }
}

/** What deciding who asks needs of it: address and headers. */
function asWebRequest({ url = '/', headers }: IncomingMessage): Request {
  const list = Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one): [string, string][] =>
      one === undefined ? [] : [[name, one]],
    ),
  );
  return new Request(new URL(url, 'http://localhost'), { headers: list });
}
