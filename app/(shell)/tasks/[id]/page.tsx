import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { keys } from '@/lib/api-client/queries';
import { requireUser } from '@/lib/auth/require-user';
import { clientScope, may } from '@/lib/auth/roles';
import { IdParams } from '@/lib/contract/api-requests';
import { readTask } from '@/lib/dashboard/task-detail';
import { appRuntime } from '@/lib/http/app-runtime';
import { traceLink } from '@/lib/platform/trace-source/settings';
import { Hydrate } from '../../../_live/hydrate';
import { TaskView } from './task-view';

interface TaskPageProps {
  readonly params: Promise<{ id: string }>;
}

const load = cache(async (id: string) => {
  const user = await requireUser('task.read', `/tasks/${id}`);
  if (!IdParams.safeParse({ id }).success) notFound();
  const { db, config } = await appRuntime();
  const task = await readTask(db, id, clientScope(user), (traceId) => traceLink(config, traceId));
  if (!task) notFound();
  return { user, task };
});

export async function generateMetadata({ params }: TaskPageProps): Promise<Metadata> {
  const { task } = await load((await params).id);
  return { title: task.filename ?? `Task ${task.id.slice(0, 8)}` };
}

export default async function TaskPage({ params }: TaskPageProps) {
  const { id } = await params;
  const { user, task } = await load(id);
  return (
    <Hydrate data={[[keys.task(id), task]]}>
      <TaskView
        id={id}
        may={{
          retry: may(user.role, 'task.retry'),
          cancel: may(user.role, 'task.cancel'),
          prioritise: may(user.role, 'task.prioritise'),
        }}
      />
    </Hydrate>
  );
}
