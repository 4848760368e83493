import type { Metadata } from 'next';
import { cookies } from 'next/headers';
import { createLoader, type SearchParams } from 'nuqs/server';
import { keys } from '@/lib/api-client/queries';
import { requireUser } from '@/lib/auth/require-user';
import { clientScope, may } from '@/lib/auth/roles';
import { readAgents } from '@/lib/dashboard/agents';
import { readClients } from '@/lib/dashboard/clients';
import { readTaskList } from '@/lib/dashboard/task-list';
import { appRuntime } from '@/lib/http/app-runtime';
import { Hydrate } from '../../../_live/hydrate';
import { viewerTimeZone } from '../../../_shell/viewer-time-zone';
import { queryFilters, taskFilterParsers } from '../task-filters';
import { TaskList } from './task-list';
import { parseTaskView, TASK_VIEW_COOKIE } from './view-settings';

export const metadata: Metadata = { title: 'Tasks' };

const loadFilters = createLoader(taskFilterParsers);

interface TasksPageProps {
  readonly searchParams: Promise<SearchParams>;
}

export default async function TasksPage({ searchParams }: TasksPageProps) {
  const user = await requireUser('task.read', '/tasks');
  const values = await loadFilters(searchParams);
  const now = Date.now();
  const filters = queryFilters(values, await viewerTimeZone(), Math.floor(now / 60_000) * 60_000);
  const { db } = await appRuntime();
  const [agents, clients, list] = await Promise.all([
    readAgents(db),
    readClients(db, clientScope(user)),
    readTaskList(db, { ...filters, sort: values.sort, limit: filters.limit ?? 100 }, clientScope(user)),
  ]);
  const view = parseTaskView((await cookies()).get(TASK_VIEW_COOKIE)?.value);
  return (
    <Hydrate data={[[keys.taskPage(filters), list]]}>
      <TaskList
        options={{ agents: agents.map(({ id, name }) => ({ id, name })), clients }}
        renderedAt={now}
        initialView={view}
        mayAct={may(user.role, 'task.bulk')}
      />
    </Hydrate>
  );
}
