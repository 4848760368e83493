import 'server-only';
import { type DeliveryHeaders, receiveCallback } from '@/lib/callbacks/receive';
import type { Problem } from '@/lib/contract/api-problem';
import { type CallbackAnswer, MAX_CALLBACK_BYTES } from '@/lib/contract/callback';
import { DomainError } from '@/lib/errors';
import { noteCallback } from '@/lib/metrics/callbacks-answered';
import type { AppRuntime } from './app-runtime';

/** An envelope quotes the body as a string, which can double it. */
export const MAX_CALLBACK_REQUEST_BYTES = 2 * MAX_CALLBACK_BYTES + 4096;

/** What an agent is told: 200 with the answer, else a problem with its status. */
export type AnsweredCallback = { readonly answer: CallbackAnswer } | { readonly problem: Problem };

/** Receives one callback, whichever way its request came in. Throws when the database can't be reached. */
export async function answerCallback(
  runtime: AppRuntime,
  request: { readonly headers: DeliveryHeaders; readonly rawBody: string; readonly requestId: string },
): Promise<AnsweredCallback> {
  const { headers, rawBody, requestId } = request;
  if (!(await runtime.home.isHere())) {
    throw new DomainError(
      'unavailable',
      'This database is a copy, or not known to be live here: it takes no callbacks until it is said to be live.',
    );
  }
  const outcome = await receiveCallback(
    { db: runtime.db, webhookSecret: runtime.webhookSecret, groups: runtime.callbacks },
    { headers, rawBody, checkAge: true },
  );
  noteCallback(outcome.status === 200 ? outcome.answer.outcome : `refused_${outcome.status}`);
  if (outcome.status === 200) return { answer: outcome.answer };
  const { title, detail } = outcome.problem;
  const { status } = outcome;
  return { problem: { type: 'about:blank', title, detail, status, code: 'callback_refused', requestId } };
}
