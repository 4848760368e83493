'use client';

import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import type { ViewPage } from '@/lib/contract/api-views';
import { island } from '../_ui/island';
import { Skeleton } from '../_ui/skeleton';
import { Chip } from './chip';

// Only who opens it pays for it.
const Panel = island(() => import('./saved-views-panel').then((module) => module.SavedViewsPanel), {
  what: 'The saved views',
  loading: () => <Skeleton className="m-3 h-24" />,
  className: 'border-0',
});

interface SavedViewsProps {
  readonly page: ViewPage;
  /** The page's filters as in its address, without the question mark; empty: none. */
  readonly search: string;
}

/** Filters under a name: to come back to, to save, to remove. */
export function SavedViews({ page, search }: SavedViewsProps) {
  const [open, setOpen] = useState(false);
  return (
    <Chip
      icon={Bookmark}
      label="Saved views"
      value={null}
      open={open}
      onOpenChange={setOpen}
      className="w-72"
    >
      <Panel page={page} search={search} onGo={() => setOpen(false)} />
    </Chip>
  );
}
