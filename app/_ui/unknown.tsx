/** A value that is not known: a dash, and why on hover (and for those who listen). Never 0. */
export function Unknown({ why }: { readonly why: string }) {
  return (
    <span className="text-muted" title={why}>
      <span aria-hidden>—</span>
      <span className="sr-only">Unknown: {why}</span>
    </span>
  );
}
