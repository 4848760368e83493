import type { Metadata } from 'next';
import { createLoader, type SearchParams } from 'nuqs/server';
import { keys } from '@/lib/api-client/queries';
import { requireUser } from '@/lib/auth/require-user';
import { clientScope } from '@/lib/auth/roles';
import { readAgents } from '@/lib/dashboard/agents';
import { readTaskList } from '@/lib/dashboard/task-list';
import { appRuntime } from '@/lib/http/app-runtime';
import { firstPage, Hydrate } from '../../_live/hydrate';
import { PageHeader } from '../../_ui/page-header';
import { queryFilters, taskFilterParsers } from './task-filters';
import { TaskList } from './task-list';

export const metadata: Metadata = { title: 'Tasks' };

const loadFilters = createLoader(taskFilterParsers);

interface TasksPageProps {
  readonly searchParams: Promise<SearchParams>;
}

export default async function TasksPage({ searchParams }: TasksPageProps) {
  const user = await requireUser('task.read', '/tasks');
  const filters = queryFilters(await loadFilters(searchParams));
  const { db } = await appRuntime();
  const [agents, list] = await Promise.all([
    readAgents(db),
    readTaskList(db, { ...filters, sort: '-created', limit: filters.limit ?? 50 }, clientScope(user)),
  ]);
  return (
    <Hydrate data={[[keys.taskList(filters), firstPage(list)]]}>
      <PageHeader title="Tasks" />
      <TaskList agents={agents.map(({ id, name }) => ({ id, name }))} />
    </Hydrate>
  );
}
