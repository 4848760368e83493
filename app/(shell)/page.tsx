import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { createLoader, type SearchParams } from 'nuqs/server';
import { Suspense } from 'react';
import { keys } from '@/lib/api-client/queries';
import { requireUser } from '@/lib/auth/require-user';
import { type ClientScope, clientScope } from '@/lib/auth/roles';
import { readAgents } from '@/lib/dashboard/agents';
import { readClients } from '@/lib/dashboard/clients';
import { readExtractionList } from '@/lib/dashboard/extraction-list';
import { metricsFor } from '@/lib/dashboard/metrics';
import { appRuntime } from '@/lib/http/app-runtime';
import { type FilterValues, filterParsers, filterQuery } from '../_filters/filters';
import { Hydrate } from '../_live/hydrate';
import { viewerTimeZone } from '../_shell/viewer-time-zone';
import { PageHeader } from '../_ui/page-header';
import { Overview } from './_overview/overview';
import { OverviewSkeleton } from './_overview/overview-skeleton';

export const metadata: Metadata = { title: 'Overview' };

const loadFilters = createLoader(filterParsers);

interface OverviewPageProps {
  readonly searchParams: Promise<SearchParams>;
}

/** For operators: all work at a glance. Auditors start where their own work is. */
export default async function OverviewPage({ searchParams }: OverviewPageProps) {
  const user = await requireUser('metrics.read', '/');
  if (user.role === 'auditor') {
    const { db } = await appRuntime();
    const { extractions } = await readExtractionList(db, { limit: 1 }, clientScope(user));
    redirect(extractions.length > 0 ? '/extractions' : '/submit');
  }
  return (
    <>
      <PageHeader title="Overview" />
      <Suspense fallback={<OverviewSkeleton />}>
        <OverviewData values={await loadFilters(searchParams)} scope={clientScope(user)} />
      </Suspense>
    </>
  );
}

interface OverviewDataProps {
  readonly values: FilterValues;
  readonly scope: ClientScope;
}

/** Waits within the page and not before it: a redirect must come before the first byte. */
async function OverviewData({ values, scope }: OverviewDataProps) {
  const runtime = await appRuntime();
  const now = Date.now();
  const timeZone = await viewerTimeZone();
  const query = { ...filterQuery(values, timeZone, Math.floor(now / 60_000) * 60_000), timeZone };
  const [metrics, agents, clients] = await Promise.all([
    metricsFor(runtime, query, scope),
    readAgents(runtime.db),
    readClients(runtime.db, scope),
  ]);
  const options = { agents: agents.map(({ id, name }) => ({ id, name })), clients };
  return (
    <Hydrate
      data={[
        [keys.metricsFor(query), metrics],
        [keys.agents, { agents }],
      ]}
    >
      <Overview options={options} renderedAt={now} />
    </Hydrate>
  );
}
