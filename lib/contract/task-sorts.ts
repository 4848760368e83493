/** What a list of tasks can be sorted by; `-` is downwards. By itself: a browser needs the names and no parser. */
export const TASK_SORTS = [
  '-created',
  'created',
  '-priority',
  'priority',
  '-finished',
  'finished',
  '-confidence',
  'confidence',
  '-cost',
  'cost',
  '-latency',
  'latency',
] as const;
export type TaskSort = (typeof TASK_SORTS)[number];
