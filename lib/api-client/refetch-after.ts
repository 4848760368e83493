import { REFETCH_AFTER_HEADER } from '@/lib/contract/refetch-after';

let afterMs = 0;

/** Remembers what an answer says about when to ask again. */
export function noteRefetchAfter(headers: Headers): void {
  const said = Number(headers.get(REFETCH_AFTER_HEADER) ?? Number.NaN);
  if (Number.isFinite(said)) afterMs = said;
}

/** How long the server wants pages to wait before they fetch again what is on screen (ms); 0: it has not said. */
export function refetchAfterMs(): number {
  return afterMs;
}
