import pRetry from 'p-retry';
import { type Callback, CallbackAnswer, type CallbackEnvelope } from '@/lib/contract/callback';
import { signDelivery } from '@/lib/contract/signature';

/** Where an attempt's callbacks go and what signs them. */
export interface CallbackTarget {
  readonly url: string;
  /** Hex key of this attempt alone. */
  readonly key: string;
  /**
   * Set where a proxy stands before the app: what it lets us through with, fresh for each try (`null`: nothing to be
   * had now). Such a proxy may drop headers, so the signature then travels in an envelope.
   */
  readonly bearer?: () => Promise<string | null>;
}

/** One delivery: the id stays the same however often it is sent. */
export interface Delivery {
  readonly webhookId: string;
  readonly body: string;
}

/** `refused`: the receiver will never take it. `undelivered`: nobody was reached; the outbox keeps it. */
export type DeliveryOutcome =
  | { readonly kind: 'answered'; readonly answer: CallbackAnswer }
  | { readonly kind: 'refused'; readonly status: number; readonly detail: string }
  | { readonly kind: 'undelivered'; readonly cause: unknown };

/** What is sent for a callback, under an id that tells it from the attempt's other deliveries. */
export function makeDelivery(webhookId: string, callback: Callback): Delivery {
  return { webhookId, body: JSON.stringify(callback) };
}

/** The delivery signed as of now, with its three headers beside it: what an outbox file holds. */
export function sealEnvelope(key: string, delivery: Delivery): CallbackEnvelope {
  const webhook = signDelivery(key, delivery.webhookId, new Date(), delivery.body);
  return { webhook, payload: delivery.body };
}

/** How often and how patiently a delivery is tried; the first wait doubles each time. */
export interface Patience {
  readonly retries: number;
  readonly firstWaitMs: number;
  /** For one try. */
  readonly timeoutMs: number;
}

/** Posts a delivery until it is answered, refused or patience ends; each try is signed anew. Never throws. */
export async function postDelivery(
  target: CallbackTarget,
  delivery: Delivery,
  patience: Patience,
): Promise<DeliveryOutcome> {
  try {
    const options = { retries: patience.retries, minTimeout: patience.firstWaitMs, randomize: true };
    return await pRetry(() => postOnce(target, delivery, patience.timeoutMs), options);
  } catch (cause) {
    return { kind: 'undelivered', cause };
  }
}

async function postOnce(
  target: CallbackTarget,
  delivery: Delivery,
  timeoutMs: number,
): Promise<DeliveryOutcome> {
  const { body, headers } = await sealFor(target, delivery);
  const response = await send(target.url, timeoutMs, body, headers);
  const text = await response.text();
  if (response.ok) {
    const answer = CallbackAnswer.safeParse(parseJson(text));
    // A proxy's sign-in page also comes with 200: without the right answer nothing was delivered.
    if (!answer.success) throw new Error(`unexpected answer from ${target.url}`);
    return { kind: 'answered', answer: answer.data };
  }
  // A proxy says 404 while the app is away; only the app itself says it in words that count.
  const fromApp = !target.bearer || /problem\+json/.test(response.headers.get('content-type') ?? '');
  if (fromApp && isFinalRefusal(response.status)) {
    return { kind: 'refused', status: response.status, detail: text.slice(0, 500) };
  }
  throw new Error(`${target.url} answered ${response.status}`);
}

async function sealFor(
  target: CallbackTarget,
  delivery: Delivery,
): Promise<{ body: string; headers: Record<string, string> }> {
  const json = { 'content-type': 'application/json' };
  const { webhook, payload } = sealEnvelope(target.key, delivery);
  if (!target.bearer) {
    const signed = {
      'webhook-id': webhook.id,
      'webhook-timestamp': webhook.timestamp,
      'webhook-signature': webhook.signature,
    };
    return { body: payload, headers: { ...json, ...signed } };
  }
  const token = await target.bearer();
  const headers = token === null ? json : { ...json, authorization: `Bearer ${token}` };
  return { body: JSON.stringify({ webhook, payload }), headers };
}

async function send(
  url: string,
  timeoutMs: number,
  body: string,
  headers: Record<string, string>,
): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    return await fetch(url, { method: 'POST', body, headers, signal, redirect: 'error' });
  } catch (cause) {
    // p-retry takes some TypeErrors for mistakes in our code; whatever fetch throws is worth another try.
    throw new Error(`${url} could not be reached`, { cause });
  }
}

/** 401 is tried again: a proxy in front may say it while it has no fresh token yet. */
function isFinalRefusal(status: number): boolean {
  return status === 400 || status === 404 || status === 413;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
