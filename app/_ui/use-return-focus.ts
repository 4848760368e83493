'use client';

import { useRef } from 'react';

/**
 * Gives the focus back to what had it when a dialog opened, or to the page where that is gone. Radix does so only for
 * a dialog with a trigger of its own; ours are opened by state.
 */
export function useReturnFocus() {
  const before = useRef<Element | null>(null);
  return {
    onOpenAutoFocus() {
      before.current = document.activeElement;
    },
    onCloseAutoFocus(event: Event) {
      event.preventDefault();
      const target = before.current?.isConnected ? before.current : document.getElementById('content');
      if (target instanceof HTMLElement) target.focus();
    },
  };
}
