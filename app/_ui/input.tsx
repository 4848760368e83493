import { type ComponentProps, type ReactNode, useId } from 'react';
import { cn } from './cn';

const FIELD =
  'w-full rounded-md border border-line-strong bg-surface px-2.5 text-base text-text transition-colors hover:border-text/60 focus-visible:outline-offset-0 disabled:cursor-not-allowed disabled:opacity-60 aria-invalid:border-failed';

export function Input({ className, ...props }: ComponentProps<'input'>) {
  return <input className={cn(FIELD, 'h-8 pointer-coarse:h-10', className)} {...props} />;
}

/** A native list: works with every keyboard, every phone and every screen reader. */
export function Select({ className, children, ...props }: ComponentProps<'select'>) {
  return (
    <select
      className={cn(FIELD, 'select-arrow h-8 appearance-none pe-8 pointer-coarse:h-10', className)}
      {...props}
    >
      {children}
    </select>
  );
}

interface FieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly className?: string;
  /** Gets the ids that tie label, hint and error to the control. */
  readonly children: (ids: {
    id: string;
    'aria-describedby'?: string;
    'aria-invalid'?: boolean;
  }) => ReactNode;
}

/** A labelled control with a hint, or with what is wrong in its place. */
export function Field({ label, hint, error, className, children }: FieldProps) {
  const id = useId();
  const describedBy = error || hint ? `${id}-hint` : undefined;
  return (
    <div className={cn('flex min-w-0 flex-col gap-1', className)}>
      <label htmlFor={id} className="font-medium text-sm">
        {label}
      </label>
      {children({ id, 'aria-describedby': describedBy, 'aria-invalid': error ? true : undefined })}
      {(error || hint) && (
        <p id={describedBy} className={cn('text-xs', error ? 'text-failed' : 'text-muted')}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}
