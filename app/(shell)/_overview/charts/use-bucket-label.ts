'use client';

import type { Bucket } from '../../../_charts/buckets';
import { wallClockAt } from '../../../_filters/zone';
import { formatClock, formatInstant } from '../../../_ui/format/instant';
import { useTimeZone, useViewer } from '../../../_ui/viewer';

/**
 * Names a bucket: hours in the viewer's time zone, days and months in the one that they begin in.
 * @param timeZone where days and months begin: for a moment it may not be the viewer's yet
 */
export function useBucketLabel(bucket: Bucket, timeZone: string) {
  const local = useTimeZone();
  const { renderedAt } = useViewer();
  return (at: string, length: 'short' | 'long') => {
    const full = formatInstant(at, bucket === 'hour' ? local : timeZone, new Date(renderedAt));
    if (bucket === 'hour') return length === 'long' ? full : formatClock(at, local, 'minute');
    const day = full.split(',')[0] ?? full;
    if (bucket === 'day') return day;
    return `${day.split(' ')[1]} ${wallClockAt(Date.parse(at), timeZone).year}`;
  };
}

/** What a reader of the axis must know. */
export function bucketNote(bucket: Bucket, timeZone: string): string {
  const zone = timeZone === 'UTC' ? 'UTC ' : '';
  return { hour: 'by the hour', day: `by the ${zone}day`, month: `by the ${zone}month` }[bucket];
}
