import pRetry from 'p-retry';
import { type Callback, CallbackAnswer, type CallbackEnvelope } from '@/lib/contract/callback';
import { signDelivery } from '@/lib/contract/signature';

/** Where an attempt's callbacks go and what signs them. */
export interface CallbackTarget {
  readonly url: string;
  /** Hex key of this attempt alone. */
  readonly key: string;
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
  const { id, timestamp, signature } = signDelivery(
    target.key,
    delivery.webhookId,
    new Date(),
    delivery.body,
  );
  const response = await send(target.url, timeoutMs, delivery.body, {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
  });
  const text = await response.text();
  if (response.ok) {
    const answer = CallbackAnswer.safeParse(parseJson(text));
    // A proxy's sign-in page also comes with 200: without the right answer nothing was delivered.
    if (!answer.success) throw new Error(`unexpected answer from ${target.url}`);
    return { kind: 'answered', answer: answer.data };
  }
  if (isFinalRefusal(response.status)) {
    return { kind: 'refused', status: response.status, detail: text.slice(0, 500) };
  }
  throw new Error(`${target.url} answered ${response.status}`);
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
