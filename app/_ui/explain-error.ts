import { ERROR_CODES, isErrorCode } from '@/lib/contract/error-codes';

export interface ErrorWords {
  readonly title: string;
  readonly advice: string;
  readonly retryable: boolean;
}

/** Words for a code; agents of other authors may send codes of their own, which come with a message at best. */
export function explainError(code: string, message: string | null): ErrorWords {
  if (isErrorCode(code)) return ERROR_CODES[code];
  return {
    title: code === 'unknown' ? 'Failed without a reason' : code.replaceAll('_', ' '),
    advice: message || 'The agent gave no further reason. Retry; if it happens again, ask its author.',
    retryable: true,
  };
}
