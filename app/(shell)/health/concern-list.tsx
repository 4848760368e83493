import { CircleCheck, OctagonAlert, TriangleAlert } from 'lucide-react';
import type { Concern } from '@/lib/contract/api-health';
import { WithCode } from '../../_ui/with-code';

/** What needs a person, most urgent first; or that nothing does. */
export function ConcernList({ concerns }: { readonly concerns: readonly Concern[] }) {
  return (
    <section aria-labelledby="concerns">
      <h2 id="concerns" className="sr-only">
        What needs a person
      </h2>
      {concerns.length === 0 ? (
        <p className="flex items-center gap-2.5 rounded-md border border-line bg-surface px-4 py-3">
          <CircleCheck aria-hidden className="size-4.5 shrink-0 text-accent" />
          Nothing needs a person.
        </p>
      ) : (
        <ul className="divide-y divide-line rounded-md border border-line bg-surface">
          {concerns.map((concern) => (
            <li key={concern.code} className="flex gap-3 px-4 py-3">
              {concern.urgency === 'now' ? (
                <OctagonAlert role="img" aria-label="Now" className="mt-0.5 size-4.5 shrink-0 text-failed" />
              ) : (
                <TriangleAlert role="img" aria-label="Soon" className="mt-0.5 size-4.5 shrink-0 text-muted" />
              )}
              <div className="min-w-0 max-w-[80ch]">
                <h3 className="break-words font-medium">{concern.title}</h3>
                <p className="break-words text-muted">
                  <WithCode text={concern.advice} />
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
