import { setTimeout as delay } from 'node:timers/promises';
import Big from 'big.js';
import { z } from 'zod';
import type { Result } from '@/lib/contract/result';

/** What a task of this workload works on, kept in `tasks.input`. Amounts are decimal strings. */
export const Ledger = z.object({
  account: z.string(),
  postings: z.array(z.object({ debit: z.string(), credit: z.string() })),
  /** The account is locked by somebody else the first time it is looked at: shows a retry. */
  lockedAtFirst: z.boolean().default(false),
});
export type LedgerInput = z.input<typeof Ledger>;

/** Why a ledger could not be checked; `retryable` decides whether the queue tries again. */
export class LedgerError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly retryable: boolean,
  ) {
    super(message);
  }
}

/** As if each posting were looked up somewhere else. */
const LOOK_UP_MS = 4;

/**
 * Adds up the postings of an account and says whether both sides agree. Throws `LedgerError`.
 * @param attempt counts from 1
 */
export async function checkLedger(input: unknown, attempt: number, signal: AbortSignal): Promise<Result> {
  const parsed = Ledger.safeParse(input);
  if (!parsed.success) throw new LedgerError('ledger_malformed', 'The input is no ledger.', false);
  const { account, postings, lockedAtFirst } = parsed.data;
  if (lockedAtFirst && attempt === 1) {
    throw new LedgerError('ledger_locked', `Account ${account} is being written.`, true);
  }
  let debit = new Big(0);
  let credit = new Big(0);
  for (const posting of postings) {
    await delay(LOOK_UP_MS, undefined, { signal });
    debit = debit.plus(posting.debit);
    credit = credit.plus(posting.credit);
  }
  const difference = debit.minus(credit);
  const field = (name: string, value: unknown) => ({ name, value, confidence: 1, page: null, box: null });
  return {
    documentType: 'ledger',
    confidence: 1,
    warnings: difference.eq(0)
      ? []
      : [{ code: 'not_balanced', message: `Debit and credit differ by ${difference.toFixed()}.` }],
    fields: [
      field('account', account),
      field('debit', debit.toFixed()),
      field('credit', credit.toFixed()),
      field('difference', difference.toFixed()),
    ],
  };
}
