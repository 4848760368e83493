import { receiveCallback } from '@/lib/callbacks/receive';
import { MAX_CALLBACK_BYTES } from '@/lib/contract/callback';
import { json } from '@/lib/http/json';
import { problemResponse } from '@/lib/http/problem';
import { readText } from '@/lib/http/read-body';
import { withPublicRoute } from '@/lib/http/route';

/** An envelope quotes the body as a string, which can double it. */
const MAX_RAW_BYTES = 2 * MAX_CALLBACK_BYTES + 4096;

/** From agents; the signature is what authorises. Any host name: a run may reach us by another one than people do. */
export const POST = withPublicRoute({ anyHost: true }, async ({ request, runtime, requestId }) => {
  const rawBody = await readText(request, MAX_RAW_BYTES);
  const headers = {
    id: request.headers.get('webhook-id'),
    timestamp: request.headers.get('webhook-timestamp'),
    signature: request.headers.get('webhook-signature'),
  };
  const outcome = await receiveCallback(
    { db: runtime.db, webhookSecret: runtime.webhookSecret, groups: runtime.callbacks },
    { headers, rawBody, checkAge: true },
  );
  if (outcome.status === 200) return json(outcome.answer);
  const { title, detail } = outcome.problem;
  return problemResponse({ title, detail, status: outcome.status, code: 'callback_refused', requestId });
});
