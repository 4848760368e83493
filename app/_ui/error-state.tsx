'use client';

import { TriangleAlert } from 'lucide-react';
import { Button } from './button';

interface ErrorStateProps {
  readonly title: string;
  /** What happened, what is safe, what to do. */
  readonly message: string;
  readonly onRetry?: () => void;
  readonly reference?: string;
  /** `h1` where it is the whole page. */
  readonly heading?: 'h1' | 'h2';
}

/** Something could not be shown. */
export function ErrorState({ title, message, onRetry, reference, heading: Heading = 'h2' }: ErrorStateProps) {
  return (
    <div
      role="alert"
      className="flex flex-col items-start gap-2 rounded-md border border-line bg-surface p-6"
    >
      <TriangleAlert aria-hidden className="size-5 text-failed" />
      <Heading className="font-medium text-lg">{title}</Heading>
      <p className="max-w-[70ch] text-muted">{message}</p>
      {reference && <p className="font-mono text-muted text-xs">Reference {reference}</p>}
      {onRetry && (
        <Button className="mt-2" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
