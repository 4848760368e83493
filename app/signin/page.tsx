import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { currentUser } from '@/lib/auth/require-user';
import { appRuntime } from '@/lib/http/app-runtime';
import { Logo } from '../_shell/logo';
import { LocalRoles, SingleSignOn } from './sign-in-buttons';

export const metadata: Metadata = { title: 'Sign in' };

interface SignInPageProps {
  readonly searchParams: Promise<{ callbackUrl?: string | string[]; error?: string | string[] }>;
}

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { callbackUrl, error } = await searchParams;
  const target = localPath(callbackUrl);
  if (!error && (await currentUser())) redirect(target);
  const { auth } = await appRuntime();
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-lg flex-col justify-center px-5 py-12">
      <h1 className="flex items-center gap-2.5 font-semibold text-2xl tracking-tight">
        <Logo className="size-8 text-accent" />
        Tickmark
      </h1>
      <p className="mt-2 mb-8 text-lg text-muted">
        Fields from documents, each traced to its page and its price.
      </p>
      {error && (
        <p role="alert" className="mb-4 rounded-md border border-line bg-surface p-3">
          You are not signed in: the sign-in was refused or broken off. Try again.
        </p>
      )}
      {auth.findVisitor && (
        <p role="alert" className="mb-4 rounded-md border border-line bg-surface p-3">
          The workspace does not say who you are just now, or gives you no role here. Open the app from the
          workspace again in a moment; if that does not help, ask an admin of this app.
        </p>
      )}
      {auth.localRoles && <LocalRoles callbackUrl={target} />}
      {auth.oidc && <SingleSignOn callbackUrl={target} issuer={new URL(auth.oidc.issuer).host} />}
    </main>
  );
}

/** Where to go afterwards: a path of this site only. */
function localPath(callbackUrl: string | string[] | undefined): string {
  const wanted = Array.isArray(callbackUrl) ? callbackUrl[0] : callbackUrl;
  if (!wanted) return '/';
  try {
    const base = 'http://this.invalid';
    const url = new URL(wanted, base);
    // next-auth hands over an absolute address of our own; its path is enough.
    return url.pathname.startsWith('//') ? '/' : url.pathname + url.search;
  } catch {
    return '/';
  }
}
