import Link from 'next/link';
import type { ReactNode } from 'react';
import type { TaskListItem } from '@/lib/contract/api';
import type { TaskSort } from '@/lib/contract/task-sorts';
import { AgentName } from '../../../_ui/agent-name';
import { ConfidenceBar } from '../../../_ui/confidence-bar';
import { Duration } from '../../../_ui/duration';
import { explainError } from '../../../_ui/explain-error';
import { ExtractionName } from '../../../_ui/extraction-name';
import { formatCount } from '../../../_ui/format/count';
import { Money } from '../../../_ui/money';
import { TaskState } from '../../../_ui/task-state';
import { Time } from '../../../_ui/time';
import { Tokens } from '../../../_ui/tokens';
import { Unknown } from '../../../_ui/unknown';
import type { ColumnId } from './view-settings';

/** What the list can be sorted by: the name of a sort without its direction. */
export type SortKey = Exclude<TaskSort, `-${string}`>;

export interface Column {
  readonly id: ColumnId;
  readonly label: string;
  /** Pixels on a wide screen. */
  readonly width: number;
  readonly numeric?: boolean;
  readonly sort?: SortKey;
  /** Which direction a first click means. */
  readonly firstSort?: 'asc' | 'desc';
  /** In a card: the whole width, or nothing for a task that has none. */
  readonly card?: (task: TaskListItem) => 'full' | 'half' | 'hidden';
  readonly cell: (task: TaskListItem) => ReactNode;
}

const whenThere =
  (value: (task: TaskListItem) => unknown) =>
  (task: TaskListItem): 'half' | 'hidden' =>
    value(task) === null ? 'hidden' : 'half';

const NOT_COMPLETED = 'Only a completed task has one';

/** Every column besides the document, in the order in which they stand. */
export const COLUMNS: readonly Column[] = [
  {
    id: 'status',
    label: 'Status',
    width: 158,
    card: () => 'full',
    cell: (task) => <TaskState task={task} className="text-sm" />,
  },
  {
    id: 'client',
    label: 'Client',
    width: 132,
    card: (task) => (task.client === null ? 'hidden' : 'full'),
    cell: (task) => <Text text={task.client} why="No client was named" />,
  },
  {
    id: 'extraction',
    label: 'Extraction',
    width: 156,
    card: (task) => (task.extractionId === null ? 'hidden' : 'full'),
    cell: (task) =>
      task.extractionId === null ? (
        <Unknown why="It belongs to none" />
      ) : (
        <Link
          href={`/extractions/${task.extractionId}`}
          prefetch={false}
          className="min-w-0 truncate hover:underline"
        >
          <ExtractionName name={task.extractionName ?? ''} />
        </Link>
      ),
  },
  { id: 'agent', label: 'Agent', width: 106, cell: (task) => <Agent id={task.agent} /> },
  {
    id: 'priority',
    label: 'Priority',
    width: 80,
    numeric: true,
    sort: 'priority',
    cell: (task) => task.priority,
  },
  {
    id: 'attempts',
    label: 'Attempts',
    width: 88,
    numeric: true,
    cell: (task) => formatCount(task.attemptCount),
  },
  {
    id: 'pages',
    label: 'Pages',
    width: 70,
    numeric: true,
    card: whenThere((task) => task.pageCount),
    cell: ({ pageCount }) =>
      pageCount === null ? <Unknown why="Not inspected, or not readable" /> : formatCount(pageCount),
  },
  {
    id: 'confidence',
    label: 'Confidence',
    width: 114,
    sort: 'confidence',
    firstSort: 'asc',
    card: whenThere((task) => task.confidence),
    cell: (task) => (
      <ConfidenceBar
        value={task.confidence}
        why={task.status === 'completed' ? 'Nothing was found' : NOT_COMPLETED}
      />
    ),
  },
  {
    id: 'response',
    label: 'Response',
    width: 100,
    numeric: true,
    sort: 'latency',
    card: whenThere((task) => task.responseSeconds),
    cell: (task) => <Duration seconds={task.responseSeconds} why={NOT_COMPLETED} />,
  },
  {
    id: 'tokens',
    label: 'Tokens',
    width: 88,
    numeric: true,
    cell: (task) => <Tokens count={task.inputTokens + task.outputTokens} />,
  },
  {
    id: 'cost',
    label: 'LLM cost',
    width: 98,
    numeric: true,
    sort: 'cost',
    cell: (task) => <Money usd={task.llmCostUsd} why="Nothing with a known price has been used" />,
  },
  {
    id: 'error',
    label: 'Error',
    width: 196,
    card: (task) => (task.errorCode === null ? 'hidden' : 'full'),
    cell: ({ errorCode, errorMessage }) =>
      errorCode === null ? (
        <Unknown why="It has none" />
      ) : (
        <span className="min-w-0 truncate" title={errorMessage ?? undefined}>
          {explainError(errorCode, errorMessage).title}
        </span>
      ),
  },
  {
    id: 'created',
    label: 'Created',
    width: 124,
    sort: 'created',
    cell: (task) => <Time at={task.createdAt} className="text-muted" />,
  },
  {
    id: 'finished',
    label: 'Finished',
    width: 124,
    sort: 'finished',
    card: whenThere((task) => task.finishedAt),
    cell: (task) => <Time at={task.finishedAt} why="It is not over yet" className="text-muted" />,
  },
  {
    id: 'id',
    label: 'Id',
    width: 100,
    cell: (task) => (
      <span className="font-mono text-muted text-xs" title={task.id}>
        {task.id.slice(-8)}
      </span>
    ),
  },
];

function Agent({ id }: { readonly id: string }) {
  return (
    <span className="min-w-0 truncate text-muted" title={id}>
      <AgentName id={id} />
    </span>
  );
}

function Text({ text, why = '' }: { text: string | null; why?: string }) {
  if (text === null) return <Unknown why={why} />;
  return (
    <span className="min-w-0 truncate" title={text}>
      {text}
    </span>
  );
}
