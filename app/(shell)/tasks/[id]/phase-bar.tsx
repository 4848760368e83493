import { cn } from '../../../_ui/cn';
import { formatSeconds } from '../../../_ui/format/duration';
import type { Phase } from './attempt-phases';

const LOOK: Record<Phase['name'], { readonly word: string; readonly fill: string }> = {
  waited: { word: 'Waited', fill: 'bg-line-strong/50' },
  dispatch: { word: 'Dispatch', fill: 'bg-line-strong' },
  run: { word: 'Run', fill: 'bg-text/75' },
  callback: { word: 'Callback', fill: 'bg-text/45' },
  stopping: { word: 'Stopping', fill: 'bg-line-strong/75' },
};

/** The phases of an attempt as shares of one bar, and in figures. The figures say it all. */
export function PhaseBar({ phases }: { readonly phases: readonly Phase[] }) {
  const whole = phases.reduce((sum, { seconds }) => sum + seconds, 0);
  return (
    <div className="mt-2.5">
      <div aria-hidden className="flex h-1.5 gap-px overflow-hidden rounded-full bg-line">
        {whole > 0 &&
          phases.map(({ name, seconds }) => (
            <span
              key={name}
              className={cn('h-full min-w-0.5', LOOK[name].fill)}
              style={{ flexGrow: seconds / whole, flexBasis: 0 }}
            />
          ))}
      </div>
      <dl className="mt-1.5 flex flex-wrap gap-x-5 gap-y-0.5 text-sm">
        {phases.map(({ name, seconds, isOver }) => (
          <div key={name} className="flex items-center gap-1.5">
            <span aria-hidden className={cn('size-2 rounded-full', LOOK[name].fill)} />
            <dt className="text-muted">{LOOK[name].word}</dt>
            <dd className="tabular" title={`${seconds.toFixed(3)} seconds`}>
              {formatSeconds(seconds)}
              {!isOver && ' so far'}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
