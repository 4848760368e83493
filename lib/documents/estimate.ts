import type { Estimate } from '@/lib/queue/estimate';
import type { Calibration } from './calibration';

/** The instructions and the schema, and an answer with its places. */
const PROMPT_TOKENS = 1_200;
const ANSWER_TOKENS = 900;
/** Text laid out as on the page, with line numbers: about two characters a token, measured on invoices. */
const TOKENS_PER_CHAR = 0.5;
const TOKENS_PER_TEXT_PAGE = 60;
/** A page of image gives about this much once it is read. */
const TOKENS_PER_SCANNED_PAGE = 1_300;
/** Fewer characters than this on a page in the mean: its text lies in images. */
const SCANNED_BELOW_CHARS = 40;

const START_SECONDS = 2;
const SECONDS_PER_TEXT_PAGE = 0.1;
const SECONDS_PER_SCANNED_PAGE = 5;

/** Guessed from bytes where a document could not be inspected: pages of ordinary office documents. */
const BYTES_PER_PAGE = 40_000;
const MAX_GUESSED_PAGES = 2_000;

/** What fits `tasks.estimated_tokens`; real estimates stay far below. */
const MAX_TOKENS = 2_000_000_000;

/** Its text lies in images: it is read by OCR. */
export function isScanned(pageCount: number, textChars: number): boolean {
  return textChars / Math.max(1, pageCount) < SCANNED_BELOW_CHARS;
}

/**
 * Estimates a document from what inspection found.
 * @param textChars characters of its text layer; 0 for a scan
 * @param learnt of the agent that it is for; without it, the figures above alone
 */
export function estimateFromText(
  pageCount: number,
  textChars: number,
  learnt?: Calibration | null,
): Estimate {
  const pages = Math.max(1, pageCount);
  const scanned = isScanned(pages, textChars);
  const text = scanned
    ? pages * TOKENS_PER_SCANNED_PAGE
    : textChars * TOKENS_PER_CHAR + pages * TOKENS_PER_TEXT_PAGE;
  const perPage = scanned ? SECONDS_PER_SCANNED_PAGE : SECONDS_PER_TEXT_PAGE;
  const factors = (scanned ? learnt?.scan : learnt?.text) ?? { tokens: 1, seconds: 1 };
  return {
    tokens: Math.min(MAX_TOKENS, Math.ceil((PROMPT_TOKENS + ANSWER_TOKENS + text) * factors.tokens)),
    seconds: (START_SECONDS + pages * perPage) * factors.seconds,
    version: learnt?.version ?? null,
  };
}

/** Estimates a document that could not be inspected in time: the run's own limits decide what becomes of it. */
export function estimateFromBytes(sizeBytes: number, learnt?: Calibration | null): Estimate {
  const pages = Math.min(MAX_GUESSED_PAGES, Math.max(1, Math.round(sizeBytes / BYTES_PER_PAGE)));
  if (!learnt) return estimateFromText(pages, 0);
  return {
    tokens: Math.min(MAX_TOKENS, Math.ceil(pages * learnt.tokensPerPage)),
    seconds: pages * learnt.secondsPerPage,
    version: learnt.version,
  };
}
