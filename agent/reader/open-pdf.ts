import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Warning } from '@/lib/contract/result';
import { checkStreams } from './bomb-guard';
import { packageSubfolder } from './package-path';
import { pdfShape } from './pdf-shape';
import { ReadError } from './read-error';

/** An opened PDF. `warnings` tells what had to be repaired. */
export interface OpenPdf {
  readonly pdf: PDFDocumentProxy;
  readonly warnings: Warning[];
  /** Frees all that pdf.js holds. */
  close(): Promise<void>;
}

/** Images over this many pixels are not decoded: 100 megapixels is A0 at 150 dpi. */
const MAX_IMAGE_PIXELS = 100_000_000;

/**
 * Opens a PDF for reading text.
 * @param bytes the file; not kept
 * @throws ReadError with the code that the document fails with
 */
export async function openPdf(bytes: Buffer, maxPages: number): Promise<OpenPdf> {
  const { repairs, hasHeader } = pdfShape(bytes);
  checkStreams(bytes);
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const task = getDocument({
    // A copy: pdf.js takes the buffer over. Without a header it does not see an object that begins at the first byte.
    data: new Uint8Array(hasHeader ? bytes : Buffer.concat([Buffer.from('%PDF-1.7\n'), bytes])),
    standardFontDataUrl: packageSubfolder('pdfjs-dist', 'standard_fonts'),
    cMapUrl: packageSubfolder('pdfjs-dist', 'cmaps'),
    cMapPacked: true,
    wasmUrl: packageSubfolder('pdfjs-dist', 'wasm'),
    iccUrl: packageSubfolder('pdfjs-dist', 'iccs'),
    useWorkerFetch: false,
    useSystemFonts: false,
    disableFontFace: true,
    enableXfa: false,
    stopAtErrors: false,
    maxImageSize: MAX_IMAGE_PIXELS,
    verbosity: 0,
  });
  let pdf: PDFDocumentProxy;
  try {
    pdf = await task.promise;
  } catch (error) {
    await task.destroy();
    throw asReadError(error);
  }
  const close = () => task.destroy();
  if (pdf.numPages === 0 || pdf.numPages > maxPages) {
    await close();
    if (pdf.numPages === 0) throw new ReadError('no_pages');
    throw new ReadError(
      'too_many_pages',
      `The PDF has ${pdf.numPages} pages; at most ${maxPages} are allowed. Split it, or ask an administrator to raise MAX_PAGES.`,
    );
  }
  const warnings: Warning[] = [];
  if (repairs.length > 0) {
    warnings.push({
      code: 'repaired_pdf',
      message: `The PDF was damaged and read all the same: ${repairs.join('; ')}.`,
    });
  }
  return { pdf, warnings, close };
}

/** pdf.js tells its errors by name across the thread boundary; some reasons stand in the message only. */
function asReadError(error: unknown): ReadError {
  if (error instanceof ReadError) return error;
  const name = error instanceof Error ? error.name : '';
  const message = error instanceof Error ? error.message : String(error);
  if (name === 'PasswordException') return new ReadError('password_required', undefined, { cause: error });
  if (/encrypt|crypt|security handler/i.test(message)) {
    return new ReadError('unsupported_encryption', undefined, { cause: error });
  }
  if (/out of memory|array buffer allocation|invalid (typed )?array length/i.test(message)) {
    return new ReadError('resource_limit', undefined, { cause: error });
  }
  return new ReadError('corrupt_pdf', undefined, { cause: error });
}
