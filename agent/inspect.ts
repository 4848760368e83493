import { readFile } from 'node:fs/promises';
import { type InspectReply, InspectRequest } from '@/lib/contract/child-messages';
import { createLogger } from '@/lib/log';
import { openPdf } from './reader/open-pdf';
import { pageText } from './reader/page-text';
import { ReadError } from './reader/read-error';

// The inspect child: answers one InspectRequest after the other over IPC. Whoever asks kills it when it takes too long.

/** Pages whose text is measured; the rest is estimated from them. */
const SAMPLED_PAGES = 12;

async function inspect({ id, path, maxPages }: InspectRequest): Promise<InspectReply> {
  try {
    const { pdf, warnings, close } = await openPdf(await readFile(path), maxPages);
    try {
      const pageCount = pdf.numPages;
      let chars = 0;
      const sampled = sample(pageCount);
      for (const number of sampled) {
        // A broken page is the run's business; here it has no text.
        const page = await pdf.getPage(number).catch(() => null);
        const text = page === null ? null : await pageText(page).catch(() => null);
        chars += text?.words.reduce((sum, word) => sum + word.text.length + 1, 0) ?? 0;
        page?.cleanup();
      }
      const textChars = Math.round((chars / sampled.length) * pageCount);
      return { id, pageCount, textChars, verdict: null, warnings };
    } finally {
      await close();
    }
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    return {
      id,
      pageCount: null,
      textChars: null,
      verdict: { code: error.code, message: error.message },
      warnings: [],
    };
  }
}

/** Page numbers spread evenly over the document, the first always among them. */
function sample(pageCount: number): number[] {
  if (pageCount <= SAMPLED_PAGES) return Array.from({ length: pageCount }, (_, index) => index + 1);
  return Array.from(
    { length: SAMPLED_PAGES },
    (_, index) => 1 + Math.floor((index * pageCount) / SAMPLED_PAGES),
  );
}

const log = createLogger('inspect', 'info');
let previous = Promise.resolve();

process.on('message', (raw) => {
  const request = InspectRequest.safeParse(raw);
  if (!request.success) {
    log.warn({ issues: request.error.issues.slice(0, 5) }, 'inspect.invalid_request');
    return;
  }
  previous = previous.then(async () => {
    try {
      process.send?.(await inspect(request.data));
    } catch (err) {
      // An error that nobody foresaw ends the child: who asked sees it gone and lets the run decide.
      log.error({ err }, 'inspect.unexpected_error');
      process.exit(1);
    }
  });
});
process.on('disconnect', () => process.exit(0));
