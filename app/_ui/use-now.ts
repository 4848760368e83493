'use client';

import { useEffect, useState } from 'react';
import { useViewer } from './viewer';

/** The first render of a page load must equal the server's; later ones know better. */
let hydrated = false;

/** The present, in milliseconds, renewed every so often; during hydration the server's, so that both render the same. */
export function useNow(everyMs: number): number {
  const { renderedAt } = useViewer();
  const [now, setNow] = useState(() => (hydrated ? Date.now() : Date.parse(renderedAt)));
  useEffect(() => {
    hydrated = true;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
