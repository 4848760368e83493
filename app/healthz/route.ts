import { json } from '@/lib/http/json';

export const dynamic = 'force-dynamic';

/** This process answers; nothing else is asked, not even the database. */
export async function GET(): Promise<Response> {
  return json({ status: 'ok' });
}
