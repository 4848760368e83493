import { ApiError } from '@/lib/api-client/api-error';
import { isUnreachable } from '@/lib/api-client/reachability';

const MAX_RETRIES = 2;
/** While nothing answers, one asks for a sign of life, and then has all fetched again; this is for when it is not there. */
const UNREACHABLE_POLL_MS = 30_000;

/** How queries are polled, and tried again when they fail: seldom while nothing answers at all. */
export function queryDefaults(pollSeconds: number) {
  return {
    refetchInterval: () => (isUnreachable() ? UNREACHABLE_POLL_MS : pollSeconds * 1000),
    staleTime: 2_000,
    retry: (failures: number, error: Error) =>
      failures < (isUnreachable() ? 1 : MAX_RETRIES) && isWorthRetrying(error),
  };
}

function isWorthRetrying(error: Error): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
}
