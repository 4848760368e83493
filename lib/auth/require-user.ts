import 'server-only';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { getServerSession } from 'next-auth/next';
import type { SessionUser } from '@/lib/contract/roles';
import { DomainError } from '@/lib/errors';
import { appRuntime } from '@/lib/http/app-runtime';
import { authOptions, SIGN_IN_PAGE } from './options';
import { may, type Permission } from './roles';

/** The signed-in person of a page, or `null`, also of whom it can't be told now: the sign-in page has words for it. */
export async function currentUser(): Promise<SessionUser | null> {
  const { auth, log } = await appRuntime();
  if (auth.findVisitor) {
    try {
      return (await auth.findVisitor(await headers()))?.user ?? null;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'unavailable') return null;
      throw error;
    }
  }
  const session = await getServerSession(authOptions(auth, log));
  return session?.user ?? null;
}

/**
 * The one way for a page to demand a session; a stranger is sent to the sign-in page.
 * @param permission what the page shows or does; without it the start page is shown instead
 * @param from the page's own path, to come back to
 */
export async function requireUser(permission: Permission, from = '/'): Promise<SessionUser> {
  const user = await currentUser();
  if (!user) redirect(`${SIGN_IN_PAGE}?callbackUrl=${encodeURIComponent(from)}`);
  if (!may(user.role, permission)) redirect('/');
  return user;
}
