'use client';

import type { TaskDetail } from '@/lib/contract/api';
import { formatBytes, formatCount } from '../../../_ui/format/count';
import { MiddleTruncate } from '../../../_ui/middle-truncate';
import { type Crumb, PageHeader } from '../../../_ui/page-header';
import { TaskState } from '../../../_ui/task-state';
import { useExtractionName } from '../../../_ui/use-extraction-name';
import { useAgentName } from '../../../_ui/viewer';
import { TaskActions, type TaskPermissions } from './task-actions';

interface TaskHeaderProps {
  readonly task: TaskDetail;
  readonly may: TaskPermissions;
}

export function TaskHeader({ task, may }: TaskHeaderProps) {
  const nameOf = useExtractionName();
  const agentName = useAgentName();
  const crumbs: Crumb[] = task.extractionId
    ? [
        { href: '/extractions', label: 'Extractions' },
        { href: `/extractions/${task.extractionId}`, label: nameOf(task.extractionName ?? 'Extraction') },
      ]
    : [{ href: '/tasks', label: 'Tasks' }];
  const facts = [
    task.client,
    `agent ${agentName(task.agent)}`,
    task.pageCount === null
      ? null
      : `${formatCount(task.pageCount)} ${task.pageCount === 1 ? 'page' : 'pages'}`,
    task.sizeBytes === null ? null : formatBytes(task.sizeBytes),
  ].filter((fact) => fact !== null);
  return (
    <PageHeader
      crumbs={crumbs}
      title={
        <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <MiddleTruncate text={task.filename ?? `Task ${task.id.slice(0, 8)}`} />
          <TaskState task={task} brief className="text-base tracking-normal" />
        </span>
      }
      lead={facts.join(' · ')}
      actions={<TaskActions task={task} may={may} />}
    />
  );
}
