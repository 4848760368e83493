'use client';

import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ApiError } from '@/lib/api-client/api-error';
import type { Role } from '@/lib/contract/roles';
import { queryDefaults } from './query-defaults';
import { reloadForRole, tellsOfAnotherRole } from './role-change';

/** A session that has ended shows as 401 on the next poll: back to the sign-in page, and from there to here. */
function leaveWhenSignedOut(error: unknown) {
  if (error instanceof ApiError && error.status === 401) {
    const here = window.location.pathname + window.location.search;
    window.location.assign(`/signin?callbackUrl=${encodeURIComponent(here)}`);
  }
}

/** Another tab may have signed in with another role. */
function followRole(error: unknown, role: Role) {
  if (tellsOfAnotherRole(error, role)) reloadForRole();
}

interface QueryProviderProps {
  /** Of the person for whom the page was made. */
  readonly role: Role;
  /** POLL_INTERVAL_SECONDS: every query is refetched this often while its page is in view, stream or not. */
  readonly pollSeconds: number;
  readonly children: ReactNode;
}

export function QueryProvider({ role, pollSeconds, children }: QueryProviderProps) {
  const [client] = useState(
    () =>
      new QueryClient({
        queryCache: new QueryCache({
          onError: (error) => {
            leaveWhenSignedOut(error);
            followRole(error, role);
          },
        }),
        mutationCache: new MutationCache({ onError: (error) => followRole(error, role) }),
        defaultOptions: {
          queries: queryDefaults(pollSeconds),
        },
      }),
  );
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
