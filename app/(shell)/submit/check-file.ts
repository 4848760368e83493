import { ERROR_CODES, type ErrorCode } from '@/lib/contract/error-codes';

/** A PDF may start with a little foreign matter, but must say what it is in its first kilobyte. */
const HEADER_BYTES = 1024;

/**
 * What can be told before sending: no content, too large, surely not a PDF. A file that calls itself .pdf is always
 * sent, since a reader can repair more than a look at its head can tell.
 */
export async function checkFile(
  file: File,
  maxFileBytes: number,
): Promise<{ code: ErrorCode; problem: string } | null> {
  if (file.size === 0) return refuse('empty_file');
  if (file.size > maxFileBytes) return refuse('too_large');
  if (/\.pdf$/i.test(file.name)) return null;
  const head = await file.slice(0, HEADER_BYTES).text();
  return head.includes('%PDF-') ? null : refuse('not_a_pdf');
}

function refuse(code: ErrorCode) {
  return { code, problem: ERROR_CODES[code].advice };
}
