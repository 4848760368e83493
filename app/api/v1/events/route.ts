import { clientScope } from '@/lib/auth/roles';
import { withRoute } from '@/lib/http/route';
import { sseResponse } from '@/lib/http/sse';
import { longestStreamMs } from '@/lib/live/longest-stream';

/**
 * A stream of ids and counts; one database connection serves all of them. In production `lib/http/event-lane.ts`
 * answers most requests before they get here.
 */
export const GET = withRoute({ auth: 'events.read' }, async ({ request, runtime, user }) =>
  sseResponse(AbortSignal.any([request.signal, AbortSignal.timeout(longestStreamMs())]), (writer) =>
    runtime.live.subscribe({
      scope: clientScope(user),
      writer,
      returning: request.headers.has('last-event-id'),
    }),
  ),
);
