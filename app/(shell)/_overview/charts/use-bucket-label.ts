'use client';

import type { Bucket } from '../../../_charts/buckets';
import { formatClock, formatInstant } from '../../../_ui/format/instant';
import { useTimeZone, useViewer } from '../../../_ui/viewer';

/**
 * Names a bucket: hours in the viewer's time zone, days and months as the UTC ones that they are (a UTC day named
 * after the local time of its start would be a day off west of Greenwich).
 */
export function useBucketLabel(bucket: Bucket) {
  const local = useTimeZone();
  const { renderedAt } = useViewer();
  return (at: string, length: 'short' | 'long') => {
    const full = formatInstant(at, bucket === 'hour' ? local : 'UTC', new Date(renderedAt));
    if (bucket === 'hour') return length === 'long' ? full : formatClock(at, local, 'minute');
    const day = full.split(',')[0] ?? full;
    if (bucket === 'day') return day;
    return `${day.split(' ')[1]} ${at.slice(0, 4)}`;
  };
}

/** What a reader of the axis must know. */
export function bucketNote(bucket: Bucket): string {
  return { hour: 'by the hour', day: 'by the day, UTC', month: 'by the month, UTC' }[bucket];
}
