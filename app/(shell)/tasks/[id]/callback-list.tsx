'use client';

import type { Attempt } from '@/lib/contract/api';
import { formatCount } from '../../../_ui/format/count';
import { formatSeconds } from '../../../_ui/format/duration';
import { Time } from '../../../_ui/time';

const OUTCOME: Record<Attempt['callbacks'][number]['outcome'], string> = {
  applied: 'applied',
  noop: 'no effect, it was over',
  recorded: 'usage recorded',
};

/** What the run told us, and how long after its start. */
export function CallbackList({ attempt }: { readonly attempt: Attempt }) {
  const { callbacks, dispatchedAt } = attempt;
  const last = callbacks.at(-1);
  if (!last) return null;
  const after = (at: string) =>
    dispatchedAt
      ? `${formatSeconds(Math.max(0, (Date.parse(at) - Date.parse(dispatchedAt)) / 1000))} into the run`
      : '';
  const one = (callback: typeof last) => (
    <>
      <Time at={callback.at} detail="clock" /> {OUTCOME[callback.outcome]}, {after(callback.at)}
    </>
  );
  if (callbacks.length === 1) {
    return <p className="mt-2.5 text-muted text-sm">Callback {one(last)}</p>;
  }
  return (
    <details className="mt-2.5 text-muted text-sm">
      <summary className="w-fit rounded-sm">
        {formatCount(callbacks.length)} callbacks, the last {one(last)}
      </summary>
      <ol className="mt-1 flex max-h-48 flex-col gap-0.5 overflow-y-auto ps-4">
        {callbacks.map((callback, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two may come in the same millisecond
          <li key={index}>{one(callback)}</li>
        ))}
      </ol>
    </details>
  );
}
