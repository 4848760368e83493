/** Calls `fn` for each item, at most `n` at the same time. The first error rejects; the rest goes on unheard. */
export async function aFewAtOnce<T>(
  n: number,
  items: readonly T[],
  fn: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values();
  const work = async () => {
    for (const item of left) await fn(item);
  };
  await Promise.all(Array.from({ length: Math.min(n, items.length) }, work));
}
