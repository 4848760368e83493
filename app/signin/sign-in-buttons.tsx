'use client';

import { ArrowRight, ClipboardCheck, Gauge, LogIn, SlidersHorizontal } from 'lucide-react';
import { signIn } from 'next-auth/react';
import { useState } from 'react';
import { Button } from '../_ui/button';

const LOCAL_ROLES = [
  {
    role: 'auditor',
    title: 'Auditor',
    may: 'Submits documents and checks what was found.',
    icon: ClipboardCheck,
  },
  {
    role: 'operator',
    title: 'Operator',
    may: 'Also retries, cancels and reorders tasks, and limits agents.',
    icon: Gauge,
  },
  {
    role: 'admin',
    title: 'Admin',
    may: 'Everything an operator may, and runs this installation.',
    icon: SlidersHorizontal,
  },
] as const;

/** Three roles to pick from on a machine of one's own. */
export function LocalRoles({ callbackUrl }: { readonly callbackUrl: string }) {
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <section aria-labelledby="local-roles">
      <h2 id="local-roles" className="mb-2 font-medium">
        Sign in as
      </h2>
      <ul className="divide-y divide-line overflow-hidden rounded-md border border-line bg-surface">
        {LOCAL_ROLES.map(({ role, title, may, icon: Icon }) => (
          <li key={role}>
            <button
              type="button"
              disabled={chosen !== null}
              className="group flex w-full items-center gap-3.5 px-4 py-3.5 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2 disabled:opacity-60"
              onClick={() => {
                setChosen(role);
                void signIn('local', { role, callbackUrl });
              }}
            >
              <Icon aria-hidden className="size-5 shrink-0 text-accent" strokeWidth={1.75} />
              <span className="grow">
                <span className="block font-medium">{chosen === role ? 'Signing in' : title}</span>
                <span className="block text-muted text-sm">{may}</span>
              </span>
              <ArrowRight aria-hidden className="size-4 shrink-0 text-muted" />
            </button>
          </li>
        ))}
      </ul>
      <p className="mt-3 text-muted text-sm">
        Anyone on this machine can sign in here, without a password. No other machine can connect.
      </p>
    </section>
  );
}

/** The organisation's own sign-in. */
export function SingleSignOn({ callbackUrl, issuer }: { callbackUrl: string; issuer: string }) {
  const [leaving, setLeaving] = useState(false);
  return (
    <Button
      variant="primary"
      size="lg"
      className="w-full"
      disabled={leaving}
      onClick={() => {
        setLeaving(true);
        void signIn('oidc', { callbackUrl });
      }}
    >
      <LogIn /> Sign in with {issuer}
    </Button>
  );
}
