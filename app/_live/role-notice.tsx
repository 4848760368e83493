'use client';

import { useEffect } from 'react';
import { useToast } from '../_ui/toast';
import { useViewer } from '../_ui/viewer';
import { wasReloadedForRole } from './role-change';

/** Says who is signed in now, after another tab changed it and this one was made anew. */
export function RoleNotice() {
  const { user } = useViewer();
  const say = useToast();
  useEffect(() => {
    if (wasReloadedForRole()) {
      say({
        tone: 'done',
        title: `You are signed in as ${user.name} now`,
        detail: `Another tab changed that; this one shows what the role ${user.role} may see.`,
      });
    }
  }, [say, user.name, user.role]);
  return null;
}
