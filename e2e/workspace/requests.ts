import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { z } from 'zod';
import type { Token } from './identities';
import { readJson, writeJson } from './int64-json';
import { malformed } from './refusal';

/** What the routes of the API share: the caller's token, and the request as Node has it. */
export type Env = { Variables: { token: Token }; Bindings: HttpBindings };
export type Call = Context<Env>;

/** An int64 as JSON has it: a number, never a string. */
export const Int64 = z.union([z.bigint(), z.number().int()]).transform((value) => BigInt(value));

/** An int64 in a query. */
export const QueryInt64 = z
  .string()
  .regex(/^\d{1,19}$/, { error: 'needs a whole number' })
  .transform((value) => BigInt(value));

/** The body of a call; throws a 400 that names the first wrong field. */
export async function readBody<T extends z.ZodType>(c: Call, schema: T): Promise<z.output<T>> {
  if (!/^application\/json\b/i.test(c.req.header('content-type') ?? '')) {
    throw malformed('The request needs the content type application/json.');
  }
  const text = await c.req.text();
  let body: unknown;
  try {
    body = readJson(text);
  } catch {
    throw malformed('Could not parse request object: not JSON.');
  }
  return check(schema, body);
}

/** The query of a call; throws a 400 that names the first wrong parameter. */
export function readQuery<T extends z.ZodType>(c: Call, schema: T): z.output<T> {
  return check(schema, c.req.query());
}

function check<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw malformed(`Could not parse request object: ${issue?.path.join('.') || 'body'}: ${issue?.message}`);
}

export function answer(value: unknown, status = 200): Response {
  return new Response(writeJson(value), { status, headers: { 'content-type': 'application/json' } });
}
