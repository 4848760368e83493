import 'server-only';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { appRuntime } from './app-runtime';
import { loggedProblem, problemFor } from './problem';

/** Answers an error past the framework as the routes do; one that nobody expected is logged here, once. */
export async function writeProblem(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  error: unknown,
): Promise<void> {
  let problem = problemFor(error, requestId);
  if (!problem) {
    const { method, url = '' } = request;
    const known = await appRuntime().catch(() => null);
    known?.log.error({ err: error, requestId, method, path: url.split('?', 1)[0] }, 'http.failed');
    problem = loggedProblem(error, requestId);
  }
  const body = await problem.text();
  for (const [name, value] of problem.headers) response.setHeader(name, value);
  response.writeHead(problem.status, { 'content-length': Buffer.byteLength(body) }).end(body);
}
