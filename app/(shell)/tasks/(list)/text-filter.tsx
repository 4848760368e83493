'use client';

import { Search } from 'lucide-react';
import { type Ref, useEffect, useState } from 'react';
import { cn } from '../../../_ui/cn';
import { Input } from '../../../_ui/input';

const TYPING_PAUSE_MS = 300;

interface TextFilterProps {
  readonly ref?: Ref<HTMLInputElement>;
  readonly label: string;
  readonly placeholder: string;
  readonly className: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A text to look for: it takes effect when the typing pauses. */
export function TextFilter({ ref, label, placeholder, className, value, onChange }: TextFilterProps) {
  const [typed, setTyped] = useState(value);
  const [sent, setSent] = useState(value);
  if (value !== sent) {
    // Changed from outside: by "Clear", by a saved view, or by the browser's back button.
    setSent(value);
    setTyped(value);
  }
  useEffect(() => {
    if (typed === sent) return;
    const timer = setTimeout(() => {
      setSent(typed);
      onChange(typed);
    }, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, sent, onChange]);
  return (
    <span className={cn('relative block', className)}>
      <Search aria-hidden className="pointer-events-none absolute top-2 left-2.5 size-4 text-muted" />
      <Input
        ref={ref}
        type="search"
        aria-label={label}
        aria-keyshortcuts="/"
        value={typed}
        placeholder={placeholder}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          // Back to the list with what was typed; a browser would empty the field.
          event.preventDefault();
          event.currentTarget.blur();
        }}
        className="ps-8"
      />
    </span>
  );
}
