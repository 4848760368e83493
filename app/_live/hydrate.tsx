import { dehydrate, HydrationBoundary, QueryClient, type QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';

interface HydrateProps {
  /** What the server read, under the keys of `lib/api-client/queries`. */
  readonly data: readonly (readonly [QueryKey, unknown])[];
  readonly children: ReactNode;
}

/** Hands what a server component has read to the islands' queries, so that the first paint has data. */
export function Hydrate({ data, children }: HydrateProps) {
  const client = new QueryClient();
  for (const [key, value] of data) client.setQueryData(key, value);
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>;
}

/** A first page, as an infinite query keeps it. */
export function firstPage<T>(page: T): { pages: [T]; pageParams: [null] } {
  return { pages: [page], pageParams: [null] };
}
