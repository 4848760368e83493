import { usePathname } from 'next/navigation';
import { useState } from 'react';
import { originOf } from './navigation';

/** The path of the page on screen, or of the one that it was opened from where it belongs to that. */
export function useOrigin(): string {
  const path = usePathname();
  const [known, setKnown] = useState({ path, origin: path });
  if (known.path === path) return known.origin;
  const origin = originOf(path, known.origin);
  setKnown({ path, origin });
  return origin;
}
