'use client';

import type { Metrics } from '@/lib/contract/api-metrics';
import { formatClock, formatInstant } from '../../_ui/format/instant';
import { useTimeZone, useViewer } from '../../_ui/viewer';

/** Names a bucket in the viewer's time zone: `14:00` or `30 Nov` short, both together long. */
export function useBucketLabel(bucket: Metrics['bucket']) {
  const zone = useTimeZone();
  const { renderedAt } = useViewer();
  return (at: string, length: 'short' | 'long') => {
    const full = formatInstant(at, zone, new Date(renderedAt));
    if (length === 'long' && bucket === 'hour') return full;
    return bucket === 'hour' ? formatClock(at, zone, 'minute') : (full.split(',')[0] ?? full);
  };
}
