import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** The key that goes with K: ⌘ on Apple's machines, Ctrl on all others. The server can't know, and says Ctrl. */
export function useCommandKey(): '⌘' | 'Ctrl' {
  return useSyncExternalStore(
    never,
    () => (isApple(navigator.userAgent) ? '⌘' : 'Ctrl'),
    () => 'Ctrl' as const,
  );
}

export function isApple(userAgent: string): boolean {
  return /Mac OS|Macintosh|iPhone|iPad/.test(userAgent);
}
