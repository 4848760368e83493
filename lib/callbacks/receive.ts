import { sql } from 'drizzle-orm';
import { Callback, type CallbackAnswer, CallbackEnvelope, MAX_CALLBACK_BYTES } from '@/lib/contract/callback';
import { attemptKey, verifyDelivery, type WebhookHeaders } from '@/lib/contract/signature';
import type { Db } from '@/lib/db/client';
import type { Delivery as VerifiedDelivery } from '@/lib/queue/callback';
import type { CallbackGroups } from '@/lib/queue/callback-groups';

/** What checking needs: the database, and the secret from which every attempt's key is derived. */
export interface VerifyDeps {
  readonly db: Db;
  readonly webhookSecret: string;
}

/** What receiving needs besides. */
export interface ReceiveDeps extends VerifyDeps {
  readonly groups: CallbackGroups;
}

/** The three Standard Webhooks headers as they came; `null` where a header is missing. */
export interface DeliveryHeaders {
  readonly id: string | null;
  readonly timestamp: string | null;
  readonly signature: string | null;
}

/** A refusal, in words for the author of an agent. */
export interface DeliveryProblem {
  readonly title: string;
  readonly detail: string;
}

/** Why a delivery is not taken. */
export interface Refusal {
  readonly status: 400 | 401 | 404 | 413;
  readonly problem: DeliveryProblem;
}

/** What the sender is told: 200 with the answer, else a status and a problem. */
export type ReceiveOutcome =
  | { readonly status: 200; readonly attemptId: string; readonly answer: CallbackAnswer }
  | Refusal;

/** One delivery as it arrives. */
export interface ReceivedRequest {
  /** `null` where there are none: then the body is the envelope that holds them. */
  readonly headers: DeliveryHeaders | null;
  readonly rawBody: string;
  /** False only for an outbox file, which may be found hours later. */
  readonly checkAge: boolean;
}

/**
 * Receives one callback: a signed body with its headers, or, where headers are missing, the envelope that holds all
 * of it. Checks in the contract's order (413 · 400 no attempt id · 401 · 404 · 400 schema), then applies it. Never
 * throws for anything that the sender wrote.
 */
export async function receiveCallback(deps: ReceiveDeps, request: ReceivedRequest): Promise<ReceiveOutcome> {
  const verified = await verifyCallback(deps, request);
  if ('problem' in verified) return verified;
  const answer = await deps.groups.apply(verified, Buffer.byteLength(request.rawBody));
  if ('outcome' in answer) return { status: 200, attemptId: verified.attemptId, answer };
  if (answer.code === 'not_found') return UNKNOWN_ATTEMPT;
  return refuse(400, 'Callback does not match the attempt', answer.message);
}

/**
 * The checks alone: a delivery that may be applied, or why not. Whether its attempt exists is asked here only where
 * the answer depends on it (an unknown attempt goes before a wrong schema); applying looks anyway.
 */
export async function verifyCallback(
  deps: VerifyDeps,
  request: ReceivedRequest,
): Promise<VerifiedDelivery | Refusal> {
  const delivery = unwrap(request.headers, request.rawBody);
  // The limit is on what was signed; an envelope's quoting may make the file around it longer.
  if (Buffer.byteLength(delivery.body) > MAX_CALLBACK_BYTES) {
    return refuse(413, 'Callback too large', `The body is over ${MAX_CALLBACK_BYTES} bytes.`);
  }
  const parsed = parseJson(delivery.body);
  const attemptId = readAttemptId(parsed);
  if (attemptId === null) {
    return refuse(400, 'No attempt id', 'The body is not a JSON object with a string "attemptId".');
  }
  const unsigned = checkSignature(deps.webhookSecret, attemptId, delivery, request.checkAge);
  if (unsigned) return unsigned;
  if (!UUID.test(attemptId)) return UNKNOWN_ATTEMPT;
  const callback = Callback.safeParse(parsed);
  if (!callback.success) {
    if (!(await isKnown(deps.db, attemptId))) return UNKNOWN_ATTEMPT;
    const where = callback.error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`);
    return refuse(400, 'Callback does not match the schema', where.slice(0, 20).join('; '));
  }
  return {
    attemptId: attemptId.toLowerCase(),
    webhookId: delivery.headers.id ?? '',
    callback: callback.data,
  };
}

/** What a header can carry and a text column can keep; an envelope's id could otherwise hold a NUL. */
const PRINTABLE_ID = /^[\x21-\x7e]{1,200}$/;

interface Delivery {
  readonly headers: DeliveryHeaders;
  readonly body: string;
}

/** All three headers there: the body is what was signed. Otherwise an envelope is looked for inside. */
function unwrap(headers: DeliveryHeaders | null, rawBody: string): Delivery {
  const none = { id: null, timestamp: null, signature: null };
  if (headers?.id && headers.timestamp && headers.signature) return { headers, body: rawBody };
  const envelope = CallbackEnvelope.safeParse(parseJson(rawBody));
  if (envelope.success) return { headers: envelope.data.webhook, body: envelope.data.payload };
  return { headers: headers ?? none, body: rawBody };
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function readAttemptId(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('attemptId' in body)) return null;
  const { attemptId } = body;
  return typeof attemptId === 'string' && attemptId.length > 0 && attemptId.length <= 200 ? attemptId : null;
}

function checkSignature(
  secret: string,
  attemptId: string,
  { headers, body }: Delivery,
  checkAge: boolean,
): Refusal | null {
  const { id, timestamp, signature } = headers;
  if (!id || !timestamp || !signature || !PRINTABLE_ID.test(id)) {
    return refuse(401, 'Not signed', 'webhook-id, webhook-timestamp and webhook-signature are needed.');
  }
  const signed: WebhookHeaders = { id, timestamp, signature };
  switch (verifyDelivery(attemptKey(secret, attemptId), signed, body, checkAge)) {
    case 'ok':
      return null;
    case 'stale':
      return refuse(401, 'Signature too old', 'webhook-timestamp is more than five minutes away from now.');
    case 'bad_signature':
      return refuse(401, 'Wrong signature', 'The signature does not match the body and the attempt’s key.');
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

async function isKnown(db: Db, attemptId: string): Promise<boolean> {
  const { rows } = await db.execute(sql`
    /* callbacks.find_attempt */
    select from tickmark.task_attempts where id = ${attemptId}::uuid`);
  return rows.length > 0;
}

const UNKNOWN_ATTEMPT = {
  status: 404,
  problem: { title: 'No such attempt', detail: 'There is no attempt with this id.' },
} as const satisfies Refusal;

function refuse(status: 400 | 401 | 404 | 413, title: string, detail: string): Refusal {
  return { status, problem: { title, detail } };
}
