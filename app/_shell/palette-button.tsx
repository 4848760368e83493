'use client';

import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../_ui/button';
import { island } from '../_ui/island';
import { useCommandKey } from './command-key';

// Only who opens it pays for it.
const Palette = island(() => import('./palette').then((module) => module.Palette), {
  what: 'Search and commands',
  className: 'fixed inset-x-3 top-14 z-50 mx-auto max-w-md bg-surface shadow-float',
});

/** Search and commands, by button and by ⌘K or Ctrl K. */
export function PaletteButton() {
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(false);
  const commandKey = useCommandKey();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setWanted(true);
      setOpen((now) => !now);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <Button
        variant="secondary"
        aria-keyshortcuts="Meta+K Control+K"
        className="justify-start border-line bg-transparent font-normal text-muted max-md:size-8 max-md:pointer-coarse:size-10 max-md:justify-center max-md:border-transparent max-md:px-0 md:w-60"
        onClick={() => {
          setWanted(true);
          setOpen(true);
        }}
      >
        <Search />
        <span className="grow text-left max-md:sr-only">
          Search<span className="sr-only"> and commands</span>
        </span>
        <kbd aria-hidden className="hidden rounded-sm border border-line px-1 font-sans text-xs md:inline">
          {commandKey === '⌘' ? '⌘K' : 'Ctrl K'}
        </kbd>
      </Button>
      {wanted && <Palette open={open} onOpenChange={setOpen} />}
    </>
  );
}
