'use client';

import { Keyboard } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { island } from '../_ui/island';
import { type Command, useCommands } from './commands';
import { isTyping } from './is-typing';
import { areSingleKeysOn } from './single-keys';

// Only who asks for it pays for it.
const KeyHelpDialog = island(() => import('./key-help-dialog').then((module) => module.KeyHelpDialog), {
  what: 'The list of keys',
  className: 'fixed inset-x-3 top-14 z-50 mx-auto max-w-md bg-surface shadow-float',
});

export const KEYBOARD_COMMAND = 'keyboard';

/** The keys of this page: on `?`, in the palette and in the menu of the person. */
export function KeyHelp() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.metaKey || event.ctrlKey || event.altKey || isTyping(event)) return;
      if (!areSingleKeysOn()) return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  const commands = useMemo<readonly Command[]>(
    () => [{ id: KEYBOARD_COMMAND, label: 'Keyboard', icon: Keyboard, run: () => setOpen(true) }],
    [],
  );
  useCommands(commands);
  return open ? <KeyHelpDialog onOpenChange={setOpen} /> : null;
}
