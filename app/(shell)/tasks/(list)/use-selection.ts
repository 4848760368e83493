import { useCallback, useMemo, useState } from 'react';
import type { TaskListItem } from '@/lib/contract/api';

export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** All that match the filters, loaded or not. */
  readonly isAll: boolean;
  readonly isEmpty: boolean;
  has(id: string): boolean;
  /** Turns one on or off; from here a range is drawn. */
  toggle(id: string): void;
  /** Selects all from the last one that was turned to this one. */
  extendTo(id: string): void;
  /** Selects these, or none when all of them are selected already. */
  toggleMany(ids: readonly string[]): void;
  selectAll(): void;
  clear(): void;
}

/** Which of the listed tasks a person has chosen. */
export function useSelection(tasks: readonly TaskListItem[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [isAll, setAll] = useState(false);
  const [anchor, setAnchor] = useState<string | null>(null);

  const clear = useCallback(() => {
    setIds(new Set());
    setAll(false);
    setAnchor(null);
  }, []);

  return useMemo(() => {
    const choose = (next: ReadonlySet<string>) => {
      setIds(next);
      setAll(false);
    };
    return {
      ids,
      isAll,
      isEmpty: ids.size === 0 && !isAll,
      has: (id) => isAll || ids.has(id),
      toggle(id) {
        const next = new Set(isAll ? tasks.map((task) => task.id) : ids);
        if (!next.delete(id)) next.add(id);
        choose(next);
        setAnchor(id);
      },
      extendTo(id) {
        const index = (one: string | null) => tasks.findIndex((task) => task.id === one);
        const [to, from] = [index(id), index(anchor)];
        if (to < 0) return;
        const start = from < 0 ? to : from;
        const range = tasks.slice(Math.min(start, to), Math.max(start, to) + 1);
        choose(new Set([...ids, ...range.map((task) => task.id)]));
        setAnchor(id);
      },
      toggleMany(many) {
        const whole = !isAll && many.every((id) => ids.has(id));
        choose(whole || isAll ? new Set() : new Set([...ids, ...many]));
      },
      selectAll() {
        setIds(new Set());
        setAll(true);
      },
      clear,
    } satisfies Selection;
  }, [ids, isAll, anchor, tasks, clear]);
}
