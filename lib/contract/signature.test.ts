import { createHmac, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { attemptKey, signDelivery, verifyDelivery } from './signature';

const secret = 'a secret of at least thirty-two characters';
const attemptId = randomUUID();
const key = attemptKey(secret, attemptId);

test('the key of an attempt is HMAC-SHA256 of "attempt:" and its id, in hex', () => {
  expect(key).toBe(createHmac('sha256', secret).update(`attempt:${attemptId}`).digest('hex'));
});

test('the signature is what Standard Webhooks says: v1, base64 HMAC-SHA256 over id.timestamp.body', () => {
  const at = new Date(1_700_000_000_000);
  const signed = signDelivery(key, 'msg_1', at, '{"a":1}');
  const mac = createHmac('sha256', key).update('msg_1.1700000000.{"a":1}').digest('base64');
  expect(signed).toEqual({ id: 'msg_1', timestamp: '1700000000', signature: `v1,${mac}` });
});

test('what was signed verifies; a key of another attempt, another body, id or time does not', () => {
  const signed = signDelivery(key, 'msg_1', new Date(), 'body');
  expect(verifyDelivery(key, signed, 'body', true)).toBe('ok');
  expect(verifyDelivery(attemptKey(secret, randomUUID()), signed, 'body', true)).toBe('bad_signature');
  expect(verifyDelivery(key, signed, 'body ', true)).toBe('bad_signature');
  expect(verifyDelivery(key, { ...signed, id: 'msg_2' }, 'body', true)).toBe('bad_signature');
  const other = String(Number(signed.timestamp) + 1);
  expect(verifyDelivery(key, { ...signed, timestamp: other }, 'body', true)).toBe('bad_signature');
});

test('several signatures may stand beside each other while a key is changed', () => {
  const signed = signDelivery(key, 'msg_1', new Date(), 'body');
  const both = { ...signed, signature: `v1,AAAA ${signed.signature}` };
  expect(verifyDelivery(key, both, 'body', true)).toBe('ok');
});

test('a delivery older or newer than five minutes is stale, unless its age is not asked for', () => {
  for (const shift of [-301_000, 302_000]) {
    const signed = signDelivery(key, 'msg_1', new Date(Date.now() + shift), 'body');
    expect(verifyDelivery(key, signed, 'body', true)).toBe('stale');
    expect(verifyDelivery(key, signed, 'body', false)).toBe('ok');
  }
});

test('no header can make it throw', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (id, timestamp, signature, body) => {
      expect(verifyDelivery(key, { id, timestamp, signature }, body, true)).toBe('bad_signature');
    }),
  );
});
