import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { Suspense } from 'react';
import { keys } from '@/lib/api-client/queries';
import { requireUser } from '@/lib/auth/require-user';
import { type ClientScope, clientScope } from '@/lib/auth/roles';
import { readExtractionList } from '@/lib/dashboard/extraction-list';
import { metricsFor } from '@/lib/dashboard/metrics';
import { appRuntime } from '@/lib/http/app-runtime';
import { Hydrate } from '../_live/hydrate';
import { PageHeader } from '../_ui/page-header';
import { Overview } from './_overview/overview';
import { OverviewSkeleton } from './_overview/overview-skeleton';

export const metadata: Metadata = { title: 'Overview' };

/** For operators: all work at a glance. Auditors start where their own work is. */
export default async function OverviewPage() {
  const user = await requireUser('metrics.read', '/');
  if (user.role === 'auditor') {
    const { db } = await appRuntime();
    const { extractions } = await readExtractionList(db, { limit: 1 }, clientScope(user));
    redirect(extractions.length > 0 ? '/extractions' : '/submit');
  }
  return (
    <>
      <PageHeader title="Overview" lead="All tasks, from the first to now." />
      <Suspense fallback={<OverviewSkeleton />}>
        <OverviewData scope={clientScope(user)} />
      </Suspense>
    </>
  );
}

/** Waits within the page and not before it: a redirect must come before the first byte. */
async function OverviewData({ scope }: { readonly scope: ClientScope }) {
  const metrics = await metricsFor(await appRuntime(), {}, scope);
  return (
    <Hydrate data={[[keys.metricsFor({}), metrics]]}>
      <Overview />
    </Hydrate>
  );
}
