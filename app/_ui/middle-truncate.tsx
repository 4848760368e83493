import { cn } from './cn';

const TAIL = 11;
/** Marks that reorder what follows: a name with them can look like another. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/g;

/** A file name that loses its middle, never its end, where room is short; in full on hover. */
export function MiddleTruncate({ text, className }: { readonly text: string; readonly className?: string }) {
  const shown = text.replace(REORDERING, '\ufffd');
  const letters = Array.from(shown);
  const cut = letters.length > TAIL + 8 ? letters.length - TAIL : letters.length;
  return (
    <bdi
      className={cn('inline-flex min-w-0 max-w-full whitespace-pre align-bottom', className)}
      title={shown}
    >
      <span className="truncate">{letters.slice(0, cut).join('')}</span>
      {cut < letters.length && <span className="shrink-0">{letters.slice(cut).join('')}</span>}
    </bdi>
  );
}
