import type { BulkAction, BulkPreview } from '@/lib/contract/api-bulk';
import { explainError } from '../../_ui/explain-error';
import { formatCount } from '../../_ui/format/count';
import type { BulkWords } from './use-bulk';

interface ActionWords {
  readonly title: (count: number | null) => string;
  /** What will happen, before it is begun. */
  readonly meaning: string;
  readonly button: string;
  readonly keep: string;
  readonly words: BulkWords;
}

const tasks = (count: number) => `${formatCount(count)} ${count === 1 ? 'task' : 'tasks'}`;
const asked = (verb: string) => (count: number | null) =>
  count === null ? `${verb} these tasks?` : `${verb} ${tasks(count)}?`;

/** What is said about each action on many tasks, before, while and after it is done. */
export const ACTION_WORDS: Record<BulkAction, ActionWords> = {
  retry: {
    title: asked('Retry'),
    meaning:
      'Each gets a new budget of attempts and goes before bulk work. What earlier attempts cost stays on the bill.',
    button: 'Retry',
    keep: 'Leave them',
    words: {
      label: 'Retrying',
      done: (changed) => `${tasks(changed)} will run again`,
      problem: 'Nothing was retried',
    },
  },
  cancel: {
    title: asked('Cancel'),
    meaning:
      'Waiting tasks end at once, which can be undone. Those in flight are stopped within seconds; what they have cost stays on the bill.',
    button: 'Cancel tasks',
    keep: 'Keep them',
    words: {
      label: 'Cancelling',
      done: (changed) => `${tasks(changed)} cancelled or stopping`,
      problem: 'Nothing was cancelled',
    },
  },
  reprioritise: {
    title: (count) =>
      count === null ? 'Change the priority of these tasks?' : `Change the priority of ${tasks(count)}?`,
    meaning:
      'Higher goes first, from the next claim on. Among equals the oldest goes first. It can be undone.',
    button: 'Change',
    keep: 'Keep as it is',
    words: {
      label: 'Changing the priority of',
      done: (changed) => `${tasks(changed)} ${changed === 1 ? 'has' : 'have'} the new priority`,
      problem: 'Nothing was changed',
    },
  },
};

/** For how many of so many tasks a retry is in vain, and why; null: for none. */
export function sameAgainWords(count: number, groups: BulkPreview['sameAgain']): string | null {
  const vain = groups.reduce((sum, group) => sum + group.count, 0);
  if (vain === 0) return null;
  const of =
    count === 1
      ? 'this one'
      : vain === count
        ? `all ${formatCount(count)}`
        : `${formatCount(vain)} of these ${formatCount(count)}`;
  const reasons = groups.map(
    (group) => `${explainError(group.errorCode, null).title} (${formatCount(group.count)})`,
  );
  return `A retry changes nothing for ${of}: ${reasons.join(', ')}. The document itself is the cause; submit a mended copy instead.`;
}
