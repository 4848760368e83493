import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { z } from 'zod';

/**
 * How the workspace misbehaves. `status`: answers so, without doing anything. `lost`: does what is asked, and the answer
 * is lost. `reset`: closes the connection, without doing anything. `slow`: takes its time. `half`: does what is asked and
 * sends half of the answer's body.
 */
export const Fault = z.strictObject({
  kind: z.enum(['status', 'lost', 'reset', 'slow', 'half']),
  method: z.string().optional(),
  /** The path begins so. */
  path: z.string(),
  /** How many calls it meets; unset: all until it is cleared. */
  times: z.number().int().positive().optional(),
  /** Calls that pass first. */
  after: z.number().int().nonnegative().optional(),
  /** Of `status`. */
  status: z.number().int().optional(),
  errorCode: z.string().optional(),
  /** Unset: an error of the API; set: the body as it is, such as a page of HTML. */
  body: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  /** Of `slow`, in milliseconds. */
  delayMs: z.number().nonnegative().optional(),
});
export type Fault = z.infer<typeof Fault>;

export interface Faults {
  add(fault: Fault): void;
  clear(): void;
  /** The fault that meets a call, which is counted. */
  next(method: string, path: string): Fault | undefined;
}

export function createFaults(): Faults {
  let active: { fault: Fault; toPass: number; left: number }[] = [];
  return {
    add(fault) {
      active.push({ fault, toPass: fault.after ?? 0, left: fault.times ?? Number.POSITIVE_INFINITY });
    },
    clear() {
      active = [];
    },
    next(method, path) {
      for (const entry of active) {
        const { fault } = entry;
        if ((fault.method ?? method) !== method || !path.startsWith(fault.path)) continue;
        if (entry.toPass > 0) entry.toPass -= 1;
        else if (entry.left > 0) {
          entry.left -= 1;
          return fault;
        }
      }
      return undefined;
    },
  };
}

/** Answers a call as its fault says. @param handle does what is asked */
export async function misbehave(
  fault: Fault,
  outgoing: ServerResponse,
  handle: () => Promise<Response>,
): Promise<Response> {
  switch (fault.kind) {
    case 'status':
      return plainFault(fault);
    case 'reset':
      outgoing.destroy();
      return RESPONSE_ALREADY_SENT;
    case 'slow':
      await delay(fault.delayMs ?? 1000);
      return handle();
    case 'lost':
      await (await handle()).arrayBuffer();
      outgoing.destroy();
      return RESPONSE_ALREADY_SENT;
    case 'half': {
      const response = await handle();
      const whole = Buffer.from(await response.arrayBuffer());
      const headers = { ...Object.fromEntries(response.headers), 'content-length': String(whole.length) };
      outgoing.writeHead(response.status, headers);
      await new Promise<void>((resolve) =>
        outgoing.write(whole.subarray(0, whole.length >> 1), () => resolve()),
      );
      outgoing.destroy();
      return RESPONSE_ALREADY_SENT;
    }
  }
}

function plainFault({ status = 503, errorCode = 'TEMPORARILY_UNAVAILABLE', body, headers }: Fault): Response {
  const text = body ?? JSON.stringify({ error_code: errorCode, message: 'A fault of the stand-in.' });
  const type = body === undefined ? 'application/json' : 'text/html';
  return new Response(text, { status, headers: { 'content-type': type, ...headers } });
}
