'use client';

import {
  CircleCheck,
  CircleDashed,
  CircleX,
  Copy,
  LoaderCircle,
  type LucideIcon,
  TriangleAlert,
  X,
} from 'lucide-react';
import { memo } from 'react';
import { ERROR_CODES } from '@/lib/contract/error-codes';
import { Button } from '../../_ui/button';
import { cn } from '../../_ui/cn';
import { formatBytes, formatPercent } from '../../_ui/format/count';
import { MiddleTruncate } from '../../_ui/middle-truncate';
import { Progress } from '../../_ui/progress';
import type { UploadFile, UploadState } from './upload-file';

const LOOK: Record<UploadState, { word: string; icon: LucideIcon; tone: string }> = {
  ready: { word: 'Ready', icon: CircleDashed, tone: 'text-muted' },
  waiting: { word: 'Waiting', icon: CircleDashed, tone: 'text-muted' },
  sending: { word: 'Sending', icon: LoaderCircle, tone: 'text-text' },
  sent: { word: 'Sent', icon: CircleCheck, tone: 'text-accent' },
  rejected: { word: 'Not sent', icon: CircleX, tone: 'text-text' },
  failed: { word: 'Interrupted', icon: TriangleAlert, tone: 'text-text' },
};

interface FileRowProps {
  readonly file: UploadFile;
  readonly onRemove: ((key: string) => void) | null;
}

export const FileRow = memo(function FileRow({ file, onRemove }: FileRowProps) {
  const look = LOOK[file.state];
  const Icon = look.icon;
  const word = file.code ? ERROR_CODES[file.code].title : look.word;
  return (
    <div className="grid min-h-10 grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-x-4 px-3 py-1.5">
      <div className="flex min-w-0 items-center gap-2">
        <MiddleTruncate text={file.path} />
        {file.sameAs && file.state === 'ready' && (
          <span
            className="inline-flex shrink-0 items-center gap-1 rounded-sm bg-sunken px-1.5 text-muted text-xs"
            title={`Same content as ${file.sameAs}`}
          >
            <Copy aria-hidden className="size-3" /> same content
          </span>
        )}
      </div>
      <span className={cn('inline-flex items-center gap-1.5 whitespace-nowrap text-sm', look.tone)}>
        <Icon
          aria-hidden
          className={cn('size-3.5', {
            'animate-ring text-accent': file.state === 'sending',
            'text-failed': file.state === 'rejected' || file.state === 'failed',
          })}
        />
        {file.state === 'sending' ? (
          <span className="flex items-center gap-2">
            <Progress label={`Sending ${file.path}`} value={file.sentBytes / file.size} className="w-14" />
            <span className="tabular w-9 text-right">{formatPercent(file.sentBytes / file.size)}</span>
          </span>
        ) : (
          word
        )}
      </span>
      <span className="flex items-center justify-end gap-1">
        <span className="tabular w-16 text-right text-muted text-sm">{formatBytes(file.size)}</span>
        {onRemove && (
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={`Remove ${file.path}`}
            className="text-muted"
            onClick={() => onRemove(file.key)}
          >
            <X />
          </Button>
        )}
      </span>
      {file.problem && <p className="col-span-full max-w-[75ch] text-muted text-sm">{file.problem}</p>}
    </div>
  );
});
