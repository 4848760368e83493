import 'server-only';
import type { TaskDetail } from '@/lib/contract/api';
import { Result } from '@/lib/contract/result';
import { foundNothing } from '@/lib/contract/result-checks';

/**
 * A result as stored, filled up with the defaults of the contract. Other agents, and tasks that are no document, may
 * have stored something else, which is handed on as it is.
 */
export function readResult(stored: unknown): Pick<TaskDetail, 'result' | 'resultShape' | 'foundNothing'> {
  if (stored === null) return { result: null, resultShape: null, foundNothing: false };
  const parsed = Result.safeParse(stored);
  return parsed.success
    ? { result: parsed.data, resultShape: 'fields', foundNothing: foundNothing(parsed.data) }
    : { result: stored as Result, resultShape: 'other', foundNothing: false };
}
