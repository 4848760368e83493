'use client';

import { Search } from 'lucide-react';
import { type Ref, useEffect, useState } from 'react';
import { Field, Input } from '../../../_ui/input';

const TYPING_PAUSE_MS = 300;

interface TextFilterProps {
  readonly ref?: Ref<HTMLInputElement>;
  readonly label: string;
  /** With one it looks like a search. */
  readonly placeholder?: string;
  readonly className: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A filter that is typed: it takes effect when the typing pauses. */
export function TextFilter({ ref, label, placeholder, className, value, onChange }: TextFilterProps) {
  const [typed, setTyped] = useState(value);
  const [sent, setSent] = useState(value);
  if (value !== sent) {
    // Changed from outside: by "Clear", or by the browser's back button.
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
    <Field label={label} className={className}>
      {(ids) => (
        <span className="relative block">
          {placeholder && (
            <Search aria-hidden className="pointer-events-none absolute top-2 left-2.5 size-4 text-muted" />
          )}
          <Input
            {...ids}
            ref={ref}
            type="search"
            value={typed}
            placeholder={placeholder}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return;
              // Back to the list with what was typed; a browser would empty the field.
              event.preventDefault();
              event.currentTarget.blur();
            }}
            className={placeholder ? 'ps-8' : undefined}
          />
        </span>
      )}
    </Field>
  );
}
