import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  /** `h1` where it is the whole page. */
  readonly heading?: 'h1' | 'h2';
}

/** Nothing to show, why, and what to do about it. */
export function EmptyState({
  icon: Icon,
  title,
  children,
  action,
  heading: Heading = 'h2',
}: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-2 rounded-md border border-line border-dashed px-6 py-14 text-center">
      <Icon aria-hidden className="size-6 text-muted" strokeWidth={1.5} />
      <Heading className="font-medium text-lg">{title}</Heading>
      {children && <p className="max-w-[52ch] text-muted">{children}</p>}
      {action && <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
