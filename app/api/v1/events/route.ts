import { clientScope } from '@/lib/auth/roles';
import { withRoute } from '@/lib/http/route';
import { sseResponse } from '@/lib/http/sse';

/** A stream of ids and counts; one database connection serves all of them. */
export const GET = withRoute({ auth: 'events.read' }, async ({ request, runtime, user }) =>
  sseResponse(request.signal, (writer) =>
    runtime.live.subscribe({
      scope: clientScope(user),
      writer,
      returning: request.headers.has('last-event-id'),
    }),
  ),
);
