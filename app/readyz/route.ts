import { json } from '@/lib/http/json';
import { checkReadiness } from '@/lib/http/readiness';

export const dynamic = 'force-dynamic';

/** Whether work that is handed in now will be done. Any host name: probes call by address. */
export async function GET(): Promise<Response> {
  const readiness = await checkReadiness();
  return json(readiness, readiness.status === 'ready' ? 200 : 503);
}
