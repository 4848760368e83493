import { cookies } from 'next/headers';
import { parseTimeZone, TIME_ZONE_COOKIE } from './time-zone';

/** The viewer's time zone as their browser last told it; UTC before it has. For server components. */
export async function viewerTimeZone(): Promise<string> {
  const jar = await cookies();
  return parseTimeZone(jar.get(TIME_ZONE_COOKIE)?.value) ?? 'UTC';
}
