'use client';

import { usePathname } from 'next/navigation';
import { useId, useState } from 'react';
import { Dialog } from '../_ui/dialog';
import { useViewer } from '../_ui/viewer';
import { useCommandKey } from './command-key';
import { areSingleKeysOn, setSingleKeys } from './single-keys';

interface KeyGroup {
  readonly title: string;
  readonly keys: readonly (readonly [keys: readonly string[], does: string])[];
}

const everywhere = (commandKey: string): KeyGroup => ({
  title: 'Everywhere',
  keys: [
    [[commandKey, 'K'], 'Search and commands'],
    [['?'], 'This list; also in the menu of your name'],
    [['Esc'], 'Close what is open'],
  ],
});

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

interface KeyHelpDialogProps {
  readonly onOpenChange: (open: boolean) => void;
}

/** The keys of this page, and whether those without Ctrl or ⌘ are wanted. */
export function KeyHelpDialog({ onOpenChange }: KeyHelpDialogProps) {
  const path = usePathname();
  const { user } = useViewer();
  const groups = [
    ...(path === '/tasks' ? [LIST, ...(user.role === 'auditor' ? [] : [SELECTION])] : []),
    everywhere(useCommandKey()),
  ];
  return (
    <Dialog open onOpenChange={onOpenChange} title="Keyboard">
      <div className="flex flex-col gap-5">
        <SingleKeys />
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

function SingleKeys() {
  const [on, setOn] = useState(areSingleKeysOn);
  const id = useId();
  return (
    <div className="flex gap-2.5">
      <input
        id={id}
        type="checkbox"
        aria-describedby={`${id}-hint`}
        checked={on}
        onChange={(event) => {
          setSingleKeys(event.target.checked);
          setOn(event.target.checked);
        }}
        className="mt-0.5 size-4 shrink-0 cursor-pointer accent-accent"
      />
      <div>
        <label htmlFor={id} className="cursor-pointer font-medium">
          Keys of one character
        </label>
        <p id={`${id}-hint`} className="text-muted text-sm">
          Off, a letter, / or ? by itself does nothing: for who dictates, or presses keys by mistake. Kept in
          this browser.
        </p>
      </div>
    </div>
  );
}
