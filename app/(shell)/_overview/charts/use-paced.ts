'use client';

import { useEffect, useRef, useState } from 'react';

/**
 * A value that changes at most every so often, and at once where the question changes. Figures may run with each
 * transition; drawing every chart anew each second would cost more than it tells.
 */
export function usePaced<T>(value: T, question: unknown, everyMs: number): T {
  const [shown, setShown] = useState({ value, question });
  const lastAt = useRef(0);
  // Another question: what was drawn no longer belongs to it.
  if (shown.question !== question) setShown({ value, question });
  useEffect(() => {
    if (shown.value === value) return;
    const wait = Math.max(0, lastAt.current + everyMs - Date.now());
    const timer = setTimeout(() => {
      lastAt.current = Date.now();
      setShown({ value, question });
    }, wait);
    return () => clearTimeout(timer);
  }, [value, question, shown, everyMs]);
  return shown.question === question ? shown.value : value;
}
