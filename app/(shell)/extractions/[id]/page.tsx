import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { keys, settledAt, type TaskListFilters } from '@/lib/api-client/queries';
import { requireUser } from '@/lib/auth/require-user';
import { clientScope, may } from '@/lib/auth/roles';
import { IdParams } from '@/lib/contract/api-requests';
import { readExtractionChecks } from '@/lib/dashboard/extraction-checks';
import { readExtraction } from '@/lib/dashboard/extraction-detail';
import { readTaskList } from '@/lib/dashboard/task-list';
import { appRuntime } from '@/lib/http/app-runtime';
import { firstPage, Hydrate } from '../../../_live/hydrate';
import { DOCUMENTS_PAGE, documentFilters, failureFilters } from './document-filters';
import { ExtractionView } from './extraction-view';

interface ExtractionPageProps {
  readonly params: Promise<{ id: string }>;
}

const load = cache(async (id: string) => {
  const user = await requireUser('extraction.read', `/extractions/${id}`);
  if (!IdParams.safeParse({ id }).success) notFound();
  const { db } = await appRuntime();
  const extraction = await readExtraction(db, id, clientScope(user));
  if (!extraction) notFound();
  return { user, extraction };
});

export async function generateMetadata({ params }: ExtractionPageProps): Promise<Metadata> {
  const { extraction } = await load((await params).id);
  return { title: extraction.firstFile ?? extraction.name };
}

export default async function ExtractionPage({ params }: ExtractionPageProps) {
  const { id } = await params;
  const { user, extraction } = await load(id);
  const { db } = await appRuntime();
  const list = (filters: TaskListFilters) =>
    readTaskList(
      db,
      { ...filters, sort: 'created', limit: filters.limit ?? DOCUMENTS_PAGE },
      clientScope(user),
    );
  const [tasks, failed, checks] = await Promise.all([
    list(documentFilters(id)),
    list(failureFilters(id)),
    readExtractionChecks(db, id),
  ]);
  return (
    <Hydrate
      data={[
        [keys.extraction(id), extraction],
        [keys.extractionChecks(id, settledAt(extraction)), checks],
        [keys.taskList(documentFilters(id)), firstPage(tasks)],
        [keys.taskList(failureFilters(id)), firstPage(failed)],
      ]}
    >
      <ExtractionView
        id={id}
        mayRetry={may(user.role, 'task.retry')}
        mayCancel={may(user.role, 'task.cancel')}
      />
    </Hydrate>
  );
}
