import { clientScope } from '@/lib/auth/roles';
import { withRoute } from '@/lib/http/route';
import { sseResponse } from '@/lib/http/sse';

/** A session that has ended must not go on reading: streams end after so long, and who comes back is asked again. */
const LONGEST_MS = 15 * 60_000;

/** A stream of ids and counts; one database connection serves all of them. */
export const GET = withRoute({ auth: 'events.read' }, async ({ request, runtime, user }) =>
  sseResponse(AbortSignal.any([request.signal, AbortSignal.timeout(LONGEST_MS)]), (writer) =>
    runtime.live.subscribe({
      scope: clientScope(user),
      writer,
      returning: request.headers.has('last-event-id'),
    }),
  ),
);
