'use client';

import { LoaderCircle } from 'lucide-react';
import { useLinkStatus } from 'next/link';

/**
 * Inside of a link: tells that the page it leads to is on its way. Pages that may turn out not to exist answer only once
 * that is known, so they have no place-holder of their own. Nothing shows for an answer that is there at once.
 */
export function LinkPending() {
  const { pending } = useLinkStatus();
  return pending ? <Opening /> : null;
}

/** The same for what is opened without a link. */
export function Opening() {
  return (
    <span role="status" className="ms-1.5 inline-flex animate-late items-center">
      <LoaderCircle aria-hidden className="size-3.5 shrink-0 animate-ring text-muted" />
      <span className="sr-only">Opening</span>
    </span>
  );
}
