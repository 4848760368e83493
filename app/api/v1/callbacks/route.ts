import { answerCallback, MAX_CALLBACK_REQUEST_BYTES } from '@/lib/http/answer-callback';
import { json } from '@/lib/http/json';
import { problemResponse } from '@/lib/http/problem';
import { readText } from '@/lib/http/read-body';
import { withPublicRoute } from '@/lib/http/route';

/**
 * From agents; the signature is what authorises. Any host name: a run may reach us by another one than people do.
 * In production `lib/http/callback-lane.ts` answers most requests before they get here.
 */
export const POST = withPublicRoute({ anyHost: true }, async ({ request, runtime, requestId }) => {
  const rawBody = await readText(request, MAX_CALLBACK_REQUEST_BYTES);
  const headers = {
    id: request.headers.get('webhook-id'),
    timestamp: request.headers.get('webhook-timestamp'),
    signature: request.headers.get('webhook-signature'),
  };
  const answered = await answerCallback(runtime, { headers, rawBody, requestId });
  return 'answer' in answered ? json(answered.answer) : problemResponse(answered.problem);
});
