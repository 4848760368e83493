'use client';

import { useQuery } from '@tanstack/react-query';
import { ChevronRight, OctagonAlert, TriangleAlert } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { healthQuery } from '@/lib/api-client/queries';
import { useViewer } from '../_ui/viewer';
import { WithCode } from '../_ui/with-code';

/**
 * One line across every page when something needs a person, for those who can do something about it. The page of health
 * says all of it, so it is not repeated there.
 */
export function ConcernBanner() {
  const { user } = useViewer();
  const path = usePathname();
  const mayAct = user.role !== 'auditor';
  const { data } = useQuery({ ...healthQuery(), enabled: mayAct });
  const concerns = data?.concerns ?? [];
  const [first] = concerns;
  return (
    <div role="status" data-print="hide">
      {mayAct && first && path !== '/health' && (
        <Link
          href="/health"
          className="group flex min-h-10 items-center gap-3 border-line border-b bg-sunken px-3 py-2 transition-colors hover:bg-hover md:px-6"
        >
          {first.urgency === 'now' ? (
            <OctagonAlert aria-hidden className="size-4.5 shrink-0 text-failed" />
          ) : (
            <TriangleAlert aria-hidden className="size-4.5 shrink-0 text-muted" />
          )}
          <span className="min-w-0 grow">
            <span className="font-medium">{first.title}</span>
            <span className="text-muted">
              {' '}
              · <WithCode text={first.advice} />
            </span>
          </span>
          <span className="flex shrink-0 items-center gap-1 text-muted group-hover:text-text">
            {concerns.length > 1 && <span className="tabular">and {concerns.length - 1} more</span>}
            <ChevronRight aria-hidden className="size-4" />
          </span>
        </Link>
      )}
    </div>
  );
}
