'use client';

import type { ChangeEventHandler } from 'react';
import { cn } from './cn';

interface CheckboxProps {
  /** For those who listen; the box stands alone. */
  readonly label: string;
  readonly checked: boolean | 'mixed';
  readonly onChange: ChangeEventHandler<HTMLInputElement>;
  readonly className?: string;
}

/** A native box, larger to the finger than to the eye. */
export function Checkbox({ label, checked, onChange, className }: CheckboxProps) {
  return (
    <label
      className={cn(
        'flex size-7 cursor-pointer items-center justify-center pointer-coarse:-m-2 pointer-coarse:size-11',
        className,
      )}
    >
      <input
        type="checkbox"
        aria-label={label}
        checked={checked === true}
        ref={(box) => {
          if (box) box.indeterminate = checked === 'mixed';
        }}
        onChange={onChange}
        className="size-4 cursor-pointer accent-accent"
      />
    </label>
  );
}
