import { IdParams } from '@/lib/contract/api-requests';
import { withRoute } from '@/lib/http/route';
import { removeView } from '@/lib/views/saved-views';

export const DELETE = withRoute({ auth: 'view.own', params: IdParams }, async ({ runtime, user, params }) => {
  await removeView(runtime.db, user.id, params.id);
  return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } });
});
