import 'server-only';
import { REFETCH_AFTER_HEADER } from '@/lib/contract/refetch-after';
import { dashboardOf } from '@/lib/dashboard/dashboard-reads';
import type { Db } from '@/lib/db/client';
import { json } from './json';

/** The answer to what a page asks again and again, with how long it should wait before it does. */
export function pacedJson(db: Db, body: unknown): Response {
  return json(body, 200, { [REFETCH_AFTER_HEADER]: String(dashboardOf(db).pace.pauseMs) });
}
