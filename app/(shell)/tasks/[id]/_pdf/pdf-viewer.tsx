'use client';

import { Download, FileWarning } from 'lucide-react';
import { Button } from '../../../../_ui/button';
import type { Mark } from '../marks';
import type { MarkHandlers } from './pdf-page';
import { PdfPages } from './pdf-pages';
import { PdfSkeleton } from './pdf-skeleton';
import { usePdfDocument } from './use-pdf-document';

interface PdfViewerProps extends MarkHandlers {
  readonly url: string;
  readonly marks: readonly Mark[];
  readonly target: { readonly mark: Mark } | null;
}

/** A PDF with marked places. */
export function PdfViewer({ url, ...rest }: PdfViewerProps) {
  const state = usePdfDocument(url);
  if (state.step === 'loading') return <PdfSkeleton />;
  if (state.step === 'failed') {
    return (
      <div className="flex grow flex-col items-center justify-center gap-3 bg-sunken p-8 text-center">
        <FileWarning aria-hidden className="size-6 text-muted" strokeWidth={1.5} />
        <p className="max-w-[40ch] text-muted">
          {state.reason}
          {!state.isGone && ' The original can still be downloaded.'}
        </p>
        {!state.isGone && (
          <Button asChild>
            <a href={url} download>
              <Download /> Download
            </a>
          </Button>
        )}
      </div>
    );
  }
  return <PdfPages document={state.document} firstPage={state.firstPage} url={url} {...rest} />;
}
