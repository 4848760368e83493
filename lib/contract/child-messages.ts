import { z } from 'zod';
import { AttemptError, Progress, Usage } from './callback';
import { Result, Warning } from './result';

/** Whom a token is for: Model Serving, or where traces are kept. */
const TokenPurpose = z.enum(['model', 'traces']);
export type TokenPurpose = z.infer<typeof TokenPurpose>;

/**
 * What the agent child tells its host over the IPC channel. `usage` is cumulative for the attempt. `succeeded`,
 * `failed` and `reported` (an agent of another author has called back itself) are final: the child exits after one of
 * them. A child that ends without one has crashed. `token_wanted` is answered with a {@link HostMessage}.
 */
export const ChildMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('token_wanted'), purpose: TokenPurpose }),
  z.object({ kind: z.literal('reported') }),
  z.object({ kind: z.literal('progress'), progress: Progress, usage: Usage.nullable() }),
  z.object({ kind: z.literal('succeeded'), result: Result, usage: Usage.nullable() }),
  z.object({ kind: z.literal('failed'), error: AttemptError, usage: Usage.nullable() }),
]);
export type ChildMessage = z.infer<typeof ChildMessage>;

/** What the host answers: a token good for at least one call; `null` when none can be given. */
export const HostMessage = z.object({
  kind: z.literal('token'),
  purpose: TokenPurpose,
  token: z.string().nullable(),
});
export type HostMessage = z.infer<typeof HostMessage>;

/** What the inspect child is asked: one document at a time; `id` comes back in the reply. */
export const InspectRequest = z.object({
  id: z.string(),
  /** Absolute path of the file. */
  path: z.string(),
  maxPages: z.number().int().positive(),
});
export type InspectRequest = z.infer<typeof InspectRequest>;

/**
 * What the inspect child found. `textChars` is an estimate for the whole document from sampled pages (0 for a scan);
 * `verdict` is a permanent reason to turn the document away, or null.
 */
export const InspectReply = z.object({
  id: z.string(),
  pageCount: z.number().int().min(0).nullable(),
  textChars: z.number().int().min(0).nullable(),
  verdict: z.object({ code: z.string(), message: z.string() }).nullable(),
  warnings: z.array(Warning),
});
export type InspectReply = z.infer<typeof InspectReply>;
