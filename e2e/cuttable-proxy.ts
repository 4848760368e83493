import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a proxy does its mischief to; `questions` are all calls of the API but the event stream. */
type Part = 'events' | 'questions' | 'everything' | 'nothing';

/** A way to the running Tickmark that can be spoilt: its event stream alone, or everything. */
export interface CuttableProxy {
  readonly url: string;
  /** What is cut ends at once and is refused until it is mended. */
  cut(what: Part): void;
  /** What is swallowed stays open, and nothing of it arrives, nor ever will: new connections go the same way. */
  swallow(what: Part): void;
  /** Event streams are handed on in bundles, every so often (ms); 0: as they come. */
  hold(everyMs: number): void;
  /** Event streams that are open now. */
  readonly streams: number;
  /** The most event streams that were open at the same time. */
  readonly mostStreams: number;
  close(): Promise<void>;
}

const isEvents = (path: string) => path.startsWith('/api/v1/events');
const isQuestion = (path: string) => path.startsWith('/api/') && !isEvents(path);
const matches = (what: Part, path: string) =>
  what === 'everything' ||
  (what === 'events' && isEvents(path)) ||
  (what === 'questions' && isQuestion(path));

/** Stands between a browser and `target`. */
export async function startCuttableProxy(target: string): Promise<CuttableProxy> {
  const { hostname, port } = new URL(target);
  const open = new Map<ServerResponse, string>();
  const doomed = new WeakSet<ServerResponse>();
  let [refused, swallowed]: [Part, Part] = ['nothing', 'nothing'];
  let holdMs = 0;
  let mostStreams = 0;
  const streams = () => [...open.values()].filter(isEvents).length;

  const hand = (answer: IncomingMessage, outgoing: ServerResponse, path: string) => {
    let held: Buffer[] = [];
    const flush = () => {
      for (const chunk of held) outgoing.write(chunk);
      held = [];
    };
    const timer = holdMs > 0 && isEvents(path) ? setInterval(flush, holdMs) : undefined;
    answer.on('data', (chunk: Buffer) => {
      if (doomed.has(outgoing)) return;
      if (timer) held.push(chunk);
      else outgoing.write(chunk);
    });
    answer.on('close', () => {
      clearInterval(timer);
      if (!doomed.has(outgoing)) outgoing.end();
    });
  };
  const pass = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const path = incoming.url ?? '/';
    if (matches(refused, path)) return void outgoing.destroy();
    open.set(outgoing, path);
    mostStreams = Math.max(mostStreams, streams());
    if (matches(swallowed, path)) {
      doomed.add(outgoing);
      outgoing.on('close', () => open.delete(outgoing));
      return;
    }
    const { method, headers } = incoming;
    const onward = request({ hostname, port, path, method, headers }, (answer) => {
      if (doomed.has(outgoing)) return;
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.flushHeaders();
      hand(answer, outgoing, path);
    });
    outgoing.on('close', () => {
      open.delete(outgoing);
      onward.destroy();
    });
    onward.on('error', () => {
      if (!doomed.has(outgoing)) outgoing.destroy();
    });
    incoming.pipe(onward);
  };
  const server = createServer(pass);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut(what) {
      refused = what;
      for (const [outgoing, path] of open) if (matches(what, path)) outgoing.destroy();
    },
    swallow(what) {
      swallowed = what;
      for (const [outgoing, path] of open) if (matches(what, path)) doomed.add(outgoing);
    },
    hold(everyMs) {
      holdMs = everyMs;
      for (const [outgoing, path] of open) if (isEvents(path)) outgoing.destroy();
    },
    get streams() {
      return streams();
    },
    get mostStreams() {
      return mostStreams;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
