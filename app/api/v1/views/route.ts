import { NewSavedView } from '@/lib/contract/api-views';
import { json } from '@/lib/http/json';
import { withRoute } from '@/lib/http/route';
import { listViews, saveView } from '@/lib/views/saved-views';

/** The caller's own saved views. */
export const GET = withRoute({ auth: 'view.own' }, async ({ runtime, user }) =>
  json({ views: await listViews(runtime.db, user.id) }),
);

/** Saves filters under a name, in place of those of that name. */
export const POST = withRoute({ auth: 'view.own', body: NewSavedView }, async ({ runtime, user, body }) =>
  json(await saveView(runtime.db, user.id, body), 201),
);
