'use client';

import { Upload } from 'lucide-react';
import type { ReactNode } from 'react';
import { useDropzone } from 'react-dropzone';

interface PageDropProps {
  readonly disabled: boolean;
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: ReactNode;
}

/** Files and folders may be dropped anywhere on the page; folders are read with all that is in them. */
export function PageDrop({ disabled, onFiles, children }: PageDropProps) {
  const { getRootProps, isDragActive } = useDropzone({
    disabled,
    noClick: true,
    noKeyboard: true,
    onDrop: (accepted, rejected) => onFiles([...accepted, ...rejected.map(({ file }) => file)]),
  });
  // The page itself is the target: the frame has no role, no place in the tab order, and is never disabled as a
  // whole, which would hold for every link in it.
  const { role: _role, tabIndex: _tabIndex, 'aria-disabled': _disabled, ...root } = getRootProps();
  return (
    <div {...root} className="relative min-h-[calc(100dvh-8rem)]">
      {isDragActive && (
        <div className="pointer-events-none absolute -inset-2 z-10 flex animate-appear items-center justify-center rounded-md border-2 border-accent border-dashed bg-accent-soft/90">
          <p className="flex items-center gap-2 font-medium text-lg">
            <Upload aria-hidden className="size-5" /> Drop to add
          </p>
        </div>
      )}
      {children}
    </div>
  );
}
