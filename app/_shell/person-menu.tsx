'use client';

import { Keyboard, LogOut, UserRound } from 'lucide-react';
import { Button } from '../_ui/button';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../_ui/menu';
import { useViewer } from '../_ui/viewer';
import { useOfferedCommands } from './commands';
import { KEYBOARD_COMMAND } from './key-help';

/** Who is signed in, and the way out. */
export function PersonMenu() {
  const { user } = useViewer();
  const keyboard = useOfferedCommands().find(({ id }) => id === KEYBOARD_COMMAND);
  return (
    <Menu
      trigger={
        <Button variant="ghost" className="max-w-48 px-2" aria-label={`Signed in as ${user.name}`}>
          <UserRound className="text-muted" />
          <span className="hidden truncate font-normal sm:inline">{user.name}</span>
        </Button>
      }
    >
      <MenuLabel>
        {user.name} · {user.role}
      </MenuLabel>
      <MenuSeparator />
      {keyboard && (
        <MenuItem onSelect={keyboard.run}>
          <Keyboard /> Keyboard
        </MenuItem>
      )}
      <MenuItem onSelect={() => void leave()}>
        <LogOut /> Sign out
      </MenuItem>
    </Menu>
  );
}

/** The sign-in's own code comes when somebody leaves: every page would carry it otherwise. */
async function leave(): Promise<void> {
  const { signOut } = await import('next-auth/react');
  await signOut({ callbackUrl: '/signin' });
}
