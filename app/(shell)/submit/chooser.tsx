'use client';

import { FileUp, FolderUp, Upload } from 'lucide-react';
import { type ChangeEvent, useRef } from 'react';
import { Button } from '../../_ui/button';
import { cn } from '../../_ui/cn';

interface ChooserProps {
  /** Small once there are files. */
  readonly compact: boolean;
  readonly limit: string;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Says that files can be dropped, and offers the same without dragging. */
export function Chooser({ compact, limit, onFiles }: ChooserProps) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = (event: ChangeEvent<HTMLInputElement>) => {
    onFiles(Array.from(event.target.files ?? []));
    // The same file can be chosen again after it was removed.
    event.target.value = '';
  };
  return (
    <section
      aria-label="Add files"
      className={cn(
        'flex flex-wrap items-center gap-x-4 gap-y-3 rounded-md border border-line-strong/70 border-dashed px-5',
        compact ? 'justify-between py-2.5' : 'flex-col justify-center py-16 text-center',
      )}
    >
      {!compact && <Upload aria-hidden className="size-7 text-accent" strokeWidth={1.5} />}
      <div>
        <p className={compact ? 'text-muted' : 'font-medium text-lg'}>
          {compact ? 'Drop more anywhere here' : 'Drop PDF files or folders anywhere here'}
        </p>
        {!compact && <p className="mt-1 text-muted">Up to {limit} each. Hundreds at once are fine.</p>}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size={compact ? 'sm' : 'md'} onClick={() => files.current?.click()}>
          <FileUp /> Choose files
        </Button>
        <Button
          size={compact ? 'sm' : 'md'}
          className="max-md:hidden"
          onClick={() => folder.current?.click()}
        >
          <FolderUp /> Choose a folder
        </Button>
      </div>
      <input ref={files} type="file" hidden multiple aria-label="Files to submit" onChange={take} />
      <input
        ref={folder}
        type="file"
        hidden
        multiple
        aria-label="Folder to submit"
        {...{ webkitdirectory: '' }}
        onChange={take}
      />
    </section>
  );
}
