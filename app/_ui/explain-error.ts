import { ERROR_CODES, isErrorCode } from '@/lib/contract/error-codes';

export interface ErrorWords {
  readonly title: string;
  readonly advice: string;
  readonly retryable: boolean;
}

/** Words for the code of a failed task; agents of other authors may send codes of their own, which come with a message at best. */
export function explainError(code: string, message: string | null): ErrorWords {
  if (isErrorCode(code)) {
    const words = ERROR_CODES[code];
    // The table speaks to somebody who may wait; a failed task has no attempt left.
    return words.retryable
      ? {
          ...words,
          advice: `${firstSentence(words.advice)} No attempt is left: retry when the cause is gone.`,
        }
      : words;
  }
  return {
    title: code === 'unknown' ? 'Failed without a reason' : code.replaceAll('_', ' '),
    advice: message || 'The agent gave no further reason. Retry; if it happens again, ask its author.',
    retryable: true,
  };
}

function firstSentence(text: string): string {
  const end = text.search(/[.;] /);
  return end < 0 ? text : `${text.slice(0, end)}.`;
}
