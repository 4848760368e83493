/** How the list of tasks looks to one person: kept in a cookie, so that the server writes it right at once. */
export interface TaskView {
  /** Ids of the columns that are shown, besides the document. */
  readonly columns: readonly ColumnId[];
  readonly density: 'normal' | 'compact';
}

export const COLUMN_IDS = [
  'status',
  'client',
  'extraction',
  'agent',
  'priority',
  'attempts',
  'pages',
  'confidence',
  'response',
  'tokens',
  'cost',
  'error',
  'created',
  'finished',
  'id',
] as const;
export type ColumnId = (typeof COLUMN_IDS)[number];

export const TASK_VIEW_COOKIE = 'tasks_view';

export const DEFAULT_VIEW: TaskView = {
  columns: ['status', 'client', 'agent', 'priority', 'confidence', 'response', 'cost', 'created'],
  density: 'normal',
};

/** Reads the cookie; anything that it should not hold is left out. */
export function parseTaskView(value: string | undefined): TaskView {
  if (!value) return DEFAULT_VIEW;
  const [density, ...columns] = decode(value).split(' ');
  return {
    density: density === 'compact' ? 'compact' : 'normal',
    columns: COLUMN_IDS.filter((id) => columns.includes(id)),
  };
}

export function formatTaskView({ density, columns }: TaskView): string {
  return [density, ...columns].join(' ');
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}
