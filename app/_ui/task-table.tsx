'use client';

import Link from 'next/link';
import type { TaskListItem } from '@/lib/contract/api';
import { AgentName } from './agent-name';
import { Button } from './button';
import { ConfidenceBar } from './confidence-bar';
import { Duration } from './duration';
import { formatCount } from './format/count';
import { LinkPending } from './link-pending';
import { MiddleTruncate } from './middle-truncate';
import { Money } from './money';
import { Cell, HeadCell, Row, Table, TableBody, TableHead } from './table';
import { TaskState } from './task-state';
import { Time } from './time';
import { Unknown } from './unknown';

interface TaskTableProps {
  readonly tasks: readonly TaskListItem[];
  /** Fetches the next page; null when there is none. */
  readonly more: (() => void) | null;
  readonly loadingMore: boolean;
  readonly empty: string;
  /** Also says to whom and what each task belongs. */
  readonly withOrigin?: boolean;
}

/** Tasks, one a row; a row leads to its task. */
export function TaskTable({ tasks, more, loadingMore, empty, withOrigin = false }: TaskTableProps) {
  if (tasks.length === 0) return <p className="border-line border-y py-8 text-center text-muted">{empty}</p>;
  return (
    <>
      <Table>
        <TableHead>
          <tr>
            <HeadCell>Document</HeadCell>
            <HeadCell>Status</HeadCell>
            {withOrigin && <HeadCell>Client</HeadCell>}
            {withOrigin && <HeadCell className="lg:max-xl:hidden">Agent</HeadCell>}
            <HeadCell numeric className="lg:max-xl:hidden">
              Pages
            </HeadCell>
            <HeadCell>Confidence</HeadCell>
            <HeadCell numeric>Response</HeadCell>
            <HeadCell numeric>LLM cost</HeadCell>
            <HeadCell>Created</HeadCell>
          </tr>
        </TableHead>
        <TableBody>
          {tasks.map((task) => (
            <TaskRow key={task.id} task={task} withOrigin={withOrigin} />
          ))}
        </TableBody>
      </Table>
      {more && (
        <Button className="mt-4" disabled={loadingMore} onClick={more}>
          {loadingMore ? 'Loading' : 'Show more'}
        </Button>
      )}
    </>
  );
}

function TaskRow({ task, withOrigin }: { readonly task: TaskListItem; readonly withOrigin: boolean }) {
  return (
    <Row className="group relative transition-colors lg:hover:bg-hover">
      <Cell card="full" className="lg:w-full lg:max-w-0">
        <Link
          href={`/tasks/${task.id}`}
          prefetch={false}
          className="flex min-w-0 font-medium after:absolute after:inset-0 group-hover:underline lg:min-w-48"
        >
          <MiddleTruncate text={task.filename ?? `Task ${task.id.slice(0, 8)}`} />
          <LinkPending />
        </Link>
      </Cell>
      <Cell label="Status" className="text-sm">
        <TaskState task={task} />
      </Cell>
      {withOrigin && (
        <Cell label="Client" card={task.client ? undefined : 'hidden'} className="lg:max-w-40">
          <span className="block min-w-0 truncate">
            {task.client ?? <span className="text-muted">—</span>}
          </span>
        </Cell>
      )}
      {withOrigin && (
        <Cell label="Agent" card="half" className="text-muted lg:max-xl:hidden">
          <AgentName id={task.agent} />
        </Cell>
      )}
      <Cell
        label="Pages"
        numeric
        card={task.pageCount === null ? 'hidden' : 'half'}
        className="lg:max-xl:hidden"
      >
        {task.pageCount === null ? (
          <Unknown why="Not inspected, or not readable" />
        ) : (
          formatCount(task.pageCount)
        )}
      </Cell>
      <Cell label="Confidence" card={task.confidence === null ? 'hidden' : 'half'}>
        <ConfidenceBar
          value={task.confidence}
          why={task.status === 'completed' ? 'Nothing was found' : 'Only a completed task has one'}
        />
      </Cell>
      <Cell label="Response" numeric card={task.responseSeconds === null ? 'hidden' : 'half'}>
        <Duration seconds={task.responseSeconds} why="Only a completed task has one" />
      </Cell>
      <Cell label="Cost" numeric card="half">
        <Money usd={task.llmCostUsd} why="Nothing with a known price has been used" />
      </Cell>
      <Cell label="Created" card="half" className="text-muted">
        <Time at={task.createdAt} />
      </Cell>
    </Row>
  );
}
