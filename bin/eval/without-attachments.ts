import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PDFDict, PDFDocument, PDFName } from 'pdf-lib';

/** A PDF on disk that is removed again at the end of its scope. */
export interface TemporaryPdf extends AsyncDisposable {
  readonly path: string;
}

/**
 * A copy of a PDF without the files embedded in it, so that what is evaluated was read from the page and not from an
 * XML invoice. A file that cannot be taken apart is given as it is.
 */
export async function withoutAttachments(file: string): Promise<TemporaryPdf> {
  let bytes: Uint8Array;
  try {
    const pdf = await PDFDocument.load(await readFile(file), { updateMetadata: false });
    pdf.catalog.delete(PDFName.of('AF'));
    const names = pdf.catalog.lookup(PDFName.of('Names'));
    if (names instanceof PDFDict) names.delete(PDFName.of('EmbeddedFiles'));
    bytes = await pdf.save();
  } catch {
    return { path: file, [Symbol.asyncDispose]: async () => undefined };
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'tickmark-eval-'));
  const copy = path.join(folder, path.basename(file));
  await writeFile(copy, bytes);
  return { path: copy, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
