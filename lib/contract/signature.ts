import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** Signed deliveries older or newer than this are refused (Standard Webhooks' own tolerance: 5 minutes). */
export const TOLERANCE_SECONDS = 300;

/** The key that signs the callbacks of one attempt, and of no other: hex HMAC-SHA256(secret, "attempt:" + id). */
export function attemptKey(webhookSecret: string, attemptId: string): string {
  return createHmac('sha256', webhookSecret).update(`attempt:${attemptId}`).digest('hex');
}

/** The three values that travel with a delivery. */
export interface WebhookHeaders {
  readonly id: string;
  /** Unix seconds, as a string. */
  readonly timestamp: string;
  readonly signature: string;
}

/** Signs a body with an attempt's key (https://www.standardwebhooks.com: HMAC-SHA256 over `id.timestamp.body`). */
export function signDelivery(key: string, id: string, at: Date, body: string): WebhookHeaders {
  const signature = new Webhook(key, { format: 'raw' }).sign(id, at, body);
  return { id, timestamp: String(Math.floor(at.getTime() / 1000)), signature };
}

/**
 * Whether a delivery was signed with this attempt's key.
 * @param checkAge false only for an outbox file, which may be found hours later
 */
export function verifyDelivery(
  key: string,
  headers: WebhookHeaders,
  body: string,
  checkAge: boolean,
): 'ok' | 'bad_signature' | 'stale' {
  const seconds = Number(headers.timestamp);
  if (!/^\d{1,12}$/.test(headers.timestamp) || !Number.isSafeInteger(seconds)) return 'bad_signature';
  const expected = new Webhook(key, { format: 'raw' }).sign(headers.id, new Date(seconds * 1000), body);
  if (!headers.signature.split(' ').some((candidate) => sameText(candidate, expected)))
    return 'bad_signature';
  const age = Math.abs(Date.now() / 1000 - seconds);
  return checkAge && age > TOLERANCE_SECONDS ? 'stale' : 'ok';
}

/** Compares digests of both, so that time tells nothing about where they differ. */
function sameText(a: string, b: string): boolean {
  const blind = (value: string) => createHmac('sha256', 'compare').update(value).digest();
  return blind(a).equals(blind(b));
}
