import { formatCount } from '../../_ui/format/count';
import { Progress } from '../../_ui/progress';
import type { Bulk } from './use-bulk';

/** How far an action on many tasks has come; it goes on when the page is left. */
export function BulkProgress({ running }: { readonly running: NonNullable<Bulk['running']> }) {
  const { label, operation } = running;
  const { done, total } = operation.progress;
  return (
    <section aria-label="Action under way" className="mb-6 max-w-md">
      <p className="tabular mb-1 text-muted text-sm">
        {label} {formatCount(done)} of {formatCount(total)} {total === 1 ? 'task' : 'tasks'}
      </p>
      <Progress label={label} value={total === 0 ? 1 : done / total} />
    </section>
  );
}
