import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { keys } from '@/lib/api-client/queries';
import { requireUser } from '@/lib/auth/require-user';
import { clientScope } from '@/lib/auth/roles';
import { readExtractionList } from '@/lib/dashboard/extraction-list';
import { readMetrics } from '@/lib/dashboard/metrics';
import { appRuntime } from '@/lib/http/app-runtime';
import { Hydrate } from '../_live/hydrate';
import { PageHeader } from '../_ui/page-header';
import { Overview } from './_overview/overview';

export const metadata: Metadata = { title: 'Overview' };

/** For operators: all work at a glance. Auditors start where their own work is. */
export default async function OverviewPage() {
  const user = await requireUser('metrics.read', '/');
  const { db } = await appRuntime();
  if (user.role === 'auditor') {
    const { extractions } = await readExtractionList(db, { limit: 1 }, clientScope(user));
    redirect(extractions.length > 0 ? '/extractions' : '/submit');
  }
  const metrics = await readMetrics(db, {}, clientScope(user));
  return (
    <Hydrate data={[[keys.metricsFor({}), metrics]]}>
      <PageHeader title="Overview" lead="All tasks, from the first to now." />
      <Overview />
    </Hydrate>
  );
}
