'use client';

import { useState } from 'react';
import type { TaskDetail } from '@/lib/contract/api';
import { ScrollRegion } from '../../../_ui/scroll-region';
import { CopyButton } from './copyable';

/** Text beyond this is in the export, not on the page: megabytes in one element keep a browser busy for minutes. */
const MAX_SHOWN = 200_000;

/** The result as it is stored, for whoever writes an agent or checks a report. */
export function RawResult({ result }: { readonly result: NonNullable<TaskDetail['result']> }) {
  const [open, setOpen] = useState(false);
  const text = open ? JSON.stringify(result, null, 2) : '';
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit rounded-sm font-medium text-lg">Raw result</summary>
      {open && (
        <div className="relative mt-2">
          <span className="absolute top-1.5 right-1.5">
            <CopyButton text={text} what="the raw result" />
          </span>
          <ScrollRegion
            as="pre"
            label="Raw result, scrollable"
            className="max-h-[32rem] overflow-auto rounded-md bg-sunken p-3 font-mono text-xs"
          >
            {text.slice(0, MAX_SHOWN)}
            {text.length > MAX_SHOWN && '\n…'}
          </ScrollRegion>
        </div>
      )}
    </details>
  );
}
