'use client';

import { Download } from 'lucide-react';
import { exportUrl } from '@/lib/api-client/queries';
import type { Extraction } from '@/lib/contract/api';
import { Button } from '../../../_ui/button';
import { Menu, MenuItem, MenuLabel } from '../../../_ui/menu';

const FORMATS = [
  { format: 'xlsx', label: 'Excel (.xlsx)' },
  { format: 'csv', label: 'CSV (.csv)' },
  { format: 'json', label: 'JSON (.json)' },
] as const;

/** The results as a file. Until the extraction is over it holds what is there so far, and the menu says so. */
export function ExportMenu({ extraction }: { readonly extraction: Extraction }) {
  const { completed, enqueued, processing } = extraction.counts;
  return (
    <Menu
      trigger={
        <Button variant="primary" disabled={completed === 0}>
          <Download /> Export
        </Button>
      }
    >
      <MenuLabel>
        {completed} {completed === 1 ? 'result' : 'results'}
        {enqueued + processing > 0 && `, ${enqueued + processing} still open`}
      </MenuLabel>
      {FORMATS.map(({ format, label }) => (
        <MenuItem key={format} asChild>
          <a href={exportUrl(extraction.id, format)} download>
            {label}
          </a>
        </MenuItem>
      ))}
    </Menu>
  );
}
