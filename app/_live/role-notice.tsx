'use client';

import { useEffect } from 'react';
import { useToast } from '../_ui/toast';
import { useViewer } from '../_ui/viewer';
import { forgetReload, wasReloadedForRole } from './role-change';

/** A page that the role may not open leads to another one at once: it is said there again. */
const SEEN_AFTER_MS = 3_000;

/** Says who is signed in now, after another tab changed it and this one was made anew. */
export function RoleNotice() {
  const { user } = useViewer();
  const say = useToast();
  useEffect(() => {
    if (!wasReloadedForRole()) return;
    say({
      tone: 'done',
      title: `You are signed in as ${user.name} now`,
      detail: `Another tab changed that; this one shows what the role ${user.role} may see.`,
    });
    const timer = setTimeout(forgetReload, SEEN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [say, user.name, user.role]);
  return null;
}
