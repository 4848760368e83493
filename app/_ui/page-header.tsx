import { ChevronRight } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';

export interface Crumb {
  readonly href: string;
  readonly label: string;
}

interface PageHeaderProps {
  readonly title: ReactNode;
  readonly lead?: ReactNode;
  /** The way here, without the page itself. */
  readonly crumbs?: readonly Crumb[];
  readonly actions?: ReactNode;
}

/** The page's name, the way to it and what can be done with it. */
export function PageHeader({ title, lead, crumbs = [], actions }: PageHeaderProps) {
  return (
    <header className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 max-w-full">
        {crumbs.length > 0 && (
          <nav aria-label="Breadcrumb" className="mb-1">
            <ol className="flex flex-wrap items-center gap-1 text-muted text-sm">
              {crumbs.map((crumb, index) => (
                <li key={crumb.href} className="flex min-w-0 items-center gap-1">
                  {index > 0 && <ChevronRight aria-hidden className="size-3.5 shrink-0" />}
                  <Link href={crumb.href} className="truncate rounded-sm hover:text-text hover:underline">
                    {crumb.label}
                  </Link>
                </li>
              ))}
            </ol>
          </nav>
        )}
        <h1 className="min-w-0 font-semibold text-xl tracking-tight">{title}</h1>
        {lead && <p className="mt-0.5 max-w-[75ch] text-muted">{lead}</p>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}
