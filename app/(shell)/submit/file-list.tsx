'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { ScrollRegion } from '../../_ui/scroll-region';
import { FileRow } from './file-row';
import type { UploadFile } from './upload-file';

const ROW = 40;
const MAX_HEIGHT = 560;

interface FileListProps {
  readonly files: readonly UploadFile[];
  readonly onRemove: ((key: string) => void) | null;
}

/** The files of a submission. Only those in view are in the page: 500 scroll as smoothly as five. */
export function FileList({ files, onRemove }: FileListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: files.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW,
    getItemKey: (index) => files[index]?.key ?? index,
    overscan: 8,
    useFlushSync: false,
  });
  return (
    <ScrollRegion
      ref={frame}
      label="Files"
      className="overflow-y-auto rounded-md border border-line bg-surface"
      style={{ height: Math.min(virtual.getTotalSize() + 2, MAX_HEIGHT) }}
    >
      <ul className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const file = files[item.index];
          if (!file) return null;
          return (
            <li
              key={item.key}
              ref={virtual.measureElement}
              data-index={item.index}
              aria-posinset={item.index + 1}
              aria-setsize={files.length}
              className="absolute inset-x-0 top-0 border-line border-b"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <FileRow file={file} onRemove={onRemove} />
            </li>
          );
        })}
      </ul>
    </ScrollRegion>
  );
}
