'use client';

import { usePathname } from 'next/navigation';
import { useEffect, useState } from 'react';
import { Dialog } from '../_ui/dialog';
import { useViewer } from '../_ui/viewer';
import { isTyping } from './is-typing';

interface KeyGroup {
  readonly title: string;
  readonly keys: readonly (readonly [keys: readonly string[], does: string])[];
}

const EVERYWHERE: KeyGroup = {
  title: 'Everywhere',
  keys: [
    [['⌘', 'K'], 'Search and commands (Ctrl K on other keyboards)'],
    [['?'], 'This list'],
    [['Esc'], 'Close what is open'],
  ],
};

const LIST: KeyGroup = {
  title: 'In the list of tasks',
  keys: [
    [['j'], 'Next task'],
    [['k'], 'Task before'],
    [['Enter'], 'Open it'],
    [['/'], 'Search'],
  ],
};

const SELECTION: KeyGroup = {
  title: 'With tasks selected',
  keys: [
    [['x'], 'Select or unselect'],
    [['Shift', 'X'], 'Select up to here'],
    [['r'], 'Retry: asks first'],
    [['c'], 'Cancel: asks first'],
    [['p'], 'Priority: asks first'],
    [['Esc'], 'Clear the selection'],
  ],
};

/** The keys of this page, on `?`. */
export function KeyHelp() {
  const [open, setOpen] = useState(false);
  const path = usePathname();
  const { user } = useViewer();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.metaKey || event.ctrlKey || event.altKey || isTyping(event)) return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  if (!open) return null;
  const groups = [
    ...(path === '/tasks' ? [LIST, ...(user.role === 'auditor' ? [] : [SELECTION])] : []),
    EVERYWHERE,
  ];
  return (
    <Dialog open onOpenChange={setOpen} title="Keyboard">
      <div className="flex flex-col gap-5">
        {groups.map(({ title, keys }) => (
          <section key={title} aria-label={title}>
            <h3 className="mb-1 text-muted text-sm">{title}</h3>
            <dl className="divide-y divide-line border-line border-y">
              {keys.map(([combination, does]) => (
                <div key={does} className="flex h-8 items-center justify-between gap-4">
                  <dt className="order-2 flex gap-1">
                    {combination.map((key) => (
                      <kbd
                        key={key}
                        className="min-w-6 rounded-sm border border-line-strong bg-sunken px-1.5 text-center font-sans text-xs"
                      >
                        {key}
                      </kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
