import { useRouter } from 'next/navigation';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { TaskListItem } from '@/lib/contract/api';
import type { BulkAction } from '@/lib/contract/api-bulk';
import { isTyping } from '../../../_shell/is-typing';
import { areSingleKeysOn } from '../../../_shell/single-keys';
import type { Selection } from './use-selection';

interface TableKeys {
  readonly tasks: readonly TaskListItem[];
  readonly selection: Selection | null;
  readonly scroller: RefObject<((index: number) => void) | null>;
  readonly search: RefObject<HTMLInputElement | null>;
  /** Asks about an action on what is selected. */
  readonly onAction: (action: BulkAction) => void;
}

/**
 * Work on the list without a mouse: j and k go down and up, Enter opens, x selects, Shift X selects up to here, / searches;
 * r, c and p ask about retry, cancel and priority. Returns the row that the keyboard is at.
 */
export function useTableKeys({ tasks, selection, scroller, search, onAction }: TableKeys) {
  const [activeId, setActiveId] = useState<string | null>(null);
  const wanted = useRef<string | null>(null);
  const router = useRouter();

  const moveTo = (index: number) => {
    const task = tasks[index];
    if (!task) return;
    setActiveId(task.id);
    wanted.current = task.id;
    scroller.current?.(index);
    focusRow(wanted);
  };
  // A row that was out of view exists only after the scrolling.
  useEffect(() => focusRow(wanted));

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented || isTyping(event)) return;
    const at = tasks.findIndex(({ id }) => id === activeId);
    const active = tasks[at];
    const act: Record<string, (() => void) | undefined> = {
      j: () => moveTo(Math.min(at + 1, tasks.length - 1)),
      k: () => moveTo(Math.max(at - 1, 0)),
      x: active && selection ? () => selection.toggle(active.id) : undefined,
      X: active && selection ? () => selection.extendTo(active.id) : undefined,
      Enter:
        active && document.activeElement === document.body
          ? () => router.push(`/tasks/${active.id}`)
          : undefined,
      '/': () => search.current?.focus(),
      Escape: selection && !selection.isEmpty ? () => selection.clear() : undefined,
      r: selection && !selection.isEmpty ? () => onAction('retry') : undefined,
      c: selection && !selection.isEmpty ? () => onAction('cancel') : undefined,
      p: selection && !selection.isEmpty ? () => onAction('reprioritise') : undefined,
    };
    const run = act[event.key];
    if (!run || (event.key.length === 1 && !areSingleKeysOn())) return;
    event.preventDefault();
    run();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
  return { activeId, setActiveId };
}

function focusRow(wanted: RefObject<string | null>) {
  if (wanted.current === null) return;
  const link = document.querySelector<HTMLElement>(`[data-task-link="${CSS.escape(wanted.current)}"]`);
  if (!link) return;
  link.focus({ preventScroll: true });
  wanted.current = null;
}
