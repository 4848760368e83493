'use client';

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { island } from '../_ui/island';
import { Skeleton } from '../_ui/skeleton';
import { useFrameSize } from '../_ui/use-frame-size';

// The drawing library comes after the page: what it draws also stands in tables.
const drawn = {
  what: 'The chart',
  loading: () => <Skeleton className="h-full w-full" />,
  className: 'h-full',
};
export const StackedBars = island(() => import('./plots/stacked-bars').then((m) => m.StackedBars), drawn);
export const Histogram = island(() => import('./plots/histogram').then((m) => m.Histogram), drawn);
export const Area = island(() => import('./plots/area').then((m) => m.Area), drawn);

/** Begins to draw when it is nearly in view, at the width that there is. */
export function Plot({ children }: { readonly children: (width: number) => ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  const { width } = useFrameSize(frame);
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (!frame.current || near) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: '50% 0px' },
    );
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, [near]);
  return (
    <div ref={frame} className="h-full w-full">
      {near && width > 0 ? children(width) : <Skeleton className="h-full w-full" />}
    </div>
  );
}
