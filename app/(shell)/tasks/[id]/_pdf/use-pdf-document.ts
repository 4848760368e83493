'use client';

import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useState } from 'react';

/** Worker, character maps, fonts and decoders, copied beside our own files by the build. */
const ASSETS = '/pdfjs';

export type PdfState =
  | { readonly step: 'loading' }
  | { readonly step: 'ready'; readonly document: PDFDocumentProxy; readonly firstPage: PageSize }
  | { readonly step: 'failed'; readonly reason: string; readonly isGone: boolean };

/** In PDF points, as displayed. */
export interface PageSize {
  readonly width: number;
  readonly height: number;
}

/** Opens a PDF by ranges; closes it when the component goes. */
export function usePdfDocument(url: string): PdfState {
  const [state, setState] = useState<PdfState>({ step: 'loading' });
  useEffect(() => {
    let gone = false;
    let close = () => {};
    setState({ step: 'loading' });
    (async () => {
      const pdfjs = await import('pdfjs-dist');
      if (gone) return;
      pdfjs.GlobalWorkerOptions.workerSrc = `${ASSETS}/pdf.worker.min.mjs`;
      const task = pdfjs.getDocument({
        url,
        cMapUrl: `${ASSETS}/cmaps/`,
        standardFontDataUrl: `${ASSETS}/standard_fonts/`,
        wasmUrl: `${ASSETS}/wasm/`,
        iccUrl: `${ASSETS}/iccs/`,
        disableAutoFetch: true,
        verbosity: pdfjs.VerbosityLevel.ERRORS,
      });
      close = () => void task.destroy();
      const document = await task.promise;
      const { width, height } = (await document.getPage(1)).getViewport({ scale: 1 });
      if (!gone) setState({ step: 'ready', document, firstPage: { width, height } });
    })().catch((error: unknown) => {
      if (!gone) setState({ step: 'failed', reason: reasonOf(error), isGone: isGone(error) });
    });
    return () => {
      gone = true;
      close();
    };
  }, [url]);
  return state;
}

function isGone(error: unknown): boolean {
  return (
    error instanceof Error && error.name === 'ResponseException' && 'status' in error && error.status === 404
  );
}

function reasonOf(error: unknown): string {
  if (isGone(error)) return 'The file is no longer in the document store. What was read from it is kept.';
  const name = error instanceof Error ? error.name : '';
  if (name === 'PasswordException') return 'The PDF is locked with a password.';
  if (name === 'InvalidPDFException') return 'The file is damaged, or is not a PDF.';
  return 'The document could not be opened here.';
}
