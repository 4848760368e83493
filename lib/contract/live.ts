import { z } from 'zod';
import { StatusCounts, TaskStatus } from './api';

/** Events of `GET /api/v1/events` (SSE): ids and counts only, never a result. */

/** `event: change`. `truncated`: more changed than is listed (a change by hand too), so refetch what is on screen. */
export const ChangeEvent = z
  .object({
    at: z.iso.datetime(),
    counts: StatusCounts,
    tasks: z.array(
      z.object({
        id: z.string(),
        status: TaskStatus,
        agent: z.string(),
        extractionId: z.string().nullable(),
      }),
    ),
    truncated: z.boolean(),
  })
  .meta({ id: 'ChangeEvent' });
export type ChangeEvent = z.infer<typeof ChangeEvent>;

/** `event: heartbeat`, every {@link HEARTBEAT_SECONDS}; `event: resync` carries the same and means: refetch all. */
export const HeartbeatEvent = z.object({ at: z.iso.datetime() }).meta({ id: 'HeartbeatEvent' });
export type HeartbeatEvent = z.infer<typeof HeartbeatEvent>;

export const HEARTBEAT_SECONDS = 5;
