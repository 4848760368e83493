import type { TaskDetail } from '@/lib/contract/api';
import type { Result } from '@/lib/contract/result';

/** Of a list longer than this the rest is counted, not drawn: no invoice has as many lines, and a browser has its limits. */
export const MAX_SHOWN = 1_000;
const MAX_TEXT = 2_000;

/** A stored result in the contract's shape; null when an agent of somebody's own, or a person in psql, stored another. */
export function asResult({ result, resultShape }: Pick<TaskDetail, 'result' | 'resultShape'>): Result | null {
  return resultShape === 'fields' ? result : null;
}

/** A value without a form of its own, as JSON that is cut where nobody reads on. */
export function jsonText(value: unknown): string {
  return shortText(JSON.stringify(value) ?? '');
}

/** A text cut where nobody reads on: megabytes in one line keep a browser busy for minutes. */
export function shortText(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
