/**
 * Why a document failed or was turned away: the fixed set of codes, whether another attempt can help, and what an
 * auditor is told. The one place for these words; the CLI, the API and the pages all read them from here.
 */
export const ERROR_CODES = {
  not_a_pdf: {
    retryable: false,
    title: 'Not a PDF',
    advice: 'The file is not a PDF. Save or print it as a PDF and upload that.',
  },
  empty_file: {
    retryable: false,
    title: 'Empty file',
    advice: 'The file has no content. Check the original and upload it again.',
  },
  corrupt_pdf: {
    retryable: false,
    title: 'Damaged PDF',
    advice: 'The PDF is damaged and could not be repaired. Ask for a new copy, or print it to a new PDF.',
  },
  no_pages: {
    retryable: false,
    title: 'No pages',
    advice: 'The PDF opens but has no pages. Ask for a complete copy.',
  },
  password_required: {
    retryable: false,
    title: 'Password needed',
    advice: 'The PDF is locked with a password. Upload an unlocked copy.',
  },
  unsupported_encryption: {
    retryable: false,
    title: 'Unsupported encryption',
    advice: 'The PDF is encrypted in a way that cannot be opened here. Upload an unencrypted copy.',
  },
  too_large: {
    retryable: false,
    title: 'Too large',
    advice: 'The file is over the size limit. Split it, or ask an administrator to raise MAX_FILE_MB.',
  },
  too_many_pages: {
    retryable: false,
    title: 'Too many pages',
    advice: 'The PDF has more pages than allowed. Split it, or ask an administrator to raise MAX_PAGES.',
  },
  resource_limit: {
    retryable: false,
    title: 'Needs too much memory or time',
    advice:
      'Reading the PDF took more memory or time than one document may use. Print it to a new PDF, or split it.',
  },
  no_text_found: {
    retryable: false,
    title: 'No text found',
    advice: 'No text was found, on the page or in its image. Check that the scan is not blank or too faint.',
  },
  budget_exceeded: {
    retryable: false,
    title: 'Budget used up',
    advice: 'The budget for this work is used up. Ask an operator to raise it, then retry.',
  },
  model_unavailable: {
    retryable: true,
    title: 'Model not reachable',
    advice: 'The model did not answer. It is tried again by itself; if it stays so, check MODEL_BASE_URL.',
  },
  rate_limited: {
    retryable: true,
    title: 'Model is busy',
    advice: 'The model asked for fewer requests. The document is tried again by itself.',
  },
  timeout: {
    retryable: true,
    title: 'Took too long',
    advice:
      'The run was stopped at its time limit. It is tried again; a very long document may need splitting.',
  },
  run_lost: {
    retryable: true,
    title: 'Run lost',
    advice: 'The run ended without an answer. It is tried again by itself.',
  },
  internal: {
    retryable: true,
    title: 'Internal error',
    advice: 'Something went wrong on our side. Retry; if it happens again, show an operator the task id.',
  },
} as const satisfies Record<string, { retryable: boolean; title: string; advice: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** Whose cause is the document or a limit: as long as these are the same, so is the end of a retry by hand. A budget can be raised. */
export const SAME_AGAIN: readonly ErrorCode[] = (Object.keys(ERROR_CODES) as ErrorCode[]).filter(
  (code) => !ERROR_CODES[code].retryable && code !== 'budget_exceeded',
);

/** Whether a retry by hand of a task that failed so ends the same way. */
export function endsTheSame(code: string | null): boolean {
  return SAME_AGAIN.some((one) => one === code);
}

/** True for a code that is in the table; agents of other authors may send anything. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CODES, code);
}
