'use client';

import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ApiError } from '@/lib/api-client/api-error';
import { queryDefaults } from './query-defaults';

/** A session that has ended shows as 401 on the next poll: back to the sign-in page, and from there to here. */
function leaveWhenSignedOut(error: unknown) {
  if (error instanceof ApiError && error.status === 401) {
    const here = window.location.pathname + window.location.search;
    window.location.assign(`/signin?callbackUrl=${encodeURIComponent(here)}`);
  }
}

interface QueryProviderProps {
  /** POLL_INTERVAL_SECONDS: every query is refetched this often while its page is in view, stream or not. */
  readonly pollSeconds: number;
  readonly children: ReactNode;
}

export function QueryProvider({ pollSeconds, children }: QueryProviderProps) {
  const [client] = useState(
    () =>
      new QueryClient({
        queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
        defaultOptions: {
          queries: queryDefaults(pollSeconds),
        },
      }),
  );
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
