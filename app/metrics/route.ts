import { withRoute } from '@/lib/http/route';
import { prometheusText } from '@/lib/live/prometheus';

/** Prometheus text. */
export const GET = withRoute({ auth: 'process.metrics' }, async ({ runtime }) => {
  const { contentType, text } = await prometheusText(runtime.db, runtime.live);
  return new Response(text, { headers: { 'content-type': contentType, 'cache-control': 'no-store' } });
});
