'use client';

import { FileUp, FolderUp, Upload } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { useDropzone } from 'react-dropzone';
import { Button } from '../../_ui/button';
import { cn } from '../../_ui/cn';

interface DropAreaProps {
  readonly disabled: boolean;
  /** Small once there are files. */
  readonly compact: boolean;
  readonly limit: string;
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: ReactNode;
}

/** Files and folders may be dropped anywhere on the page; folders are read with all that is in them. */
export function DropArea({ disabled, compact, limit, onFiles, children }: DropAreaProps) {
  const folder = useRef<HTMLInputElement>(null);
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    disabled,
    noClick: true,
    noKeyboard: true,
    onDrop: (accepted, rejected) => onFiles([...accepted, ...rejected.map(({ file }) => file)]),
  });
  // The page itself is the target, so the frame has no role and no place in the tab order.
  const { role: _role, tabIndex: _tabIndex, ...root } = getRootProps();
  return (
    <div {...root} className="relative min-h-[calc(100dvh-8rem)]">
      {isDragActive && (
        <div className="pointer-events-none absolute -inset-2 z-10 flex animate-appear items-center justify-center rounded-md border-2 border-accent border-dashed bg-accent-soft/90">
          <p className="flex items-center gap-2 font-medium text-lg">
            <Upload aria-hidden className="size-5" /> Drop to add
          </p>
        </div>
      )}
      <section
        aria-label="Add files"
        className={cn(
          'mb-4 flex flex-wrap items-center justify-center gap-x-4 gap-y-3 rounded-md border border-line-strong/70 border-dashed px-6 text-center',
          compact ? 'py-3' : 'flex-col py-14',
        )}
      >
        {!compact && <Upload aria-hidden className="size-7 text-accent" strokeWidth={1.5} />}
        <div>
          <p className={cn('font-medium', !compact && 'text-lg')}>Drop PDF files or folders anywhere here</p>
          {!compact && <p className="mt-1 text-muted">Up to {limit} each. Hundreds at once are fine.</p>}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button disabled={disabled} onClick={open}>
            <FileUp /> Choose files
          </Button>
          <Button disabled={disabled} onClick={() => folder.current?.click()} className="max-md:hidden">
            <FolderUp /> Choose a folder
          </Button>
        </div>
        <input {...getInputProps({ 'aria-label': 'Files' })} />
        <input
          ref={folder}
          type="file"
          hidden
          multiple
          aria-label="Folder"
          {...{ webkitdirectory: '' }}
          onChange={(event) => {
            onFiles(Array.from(event.target.files ?? []));
            event.target.value = '';
          }}
        />
      </section>
      {children}
    </div>
  );
}
