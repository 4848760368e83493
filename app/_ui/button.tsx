import { cva, type VariantProps } from 'class-variance-authority';
import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from './cn';

const look = cva(
  'inline-flex shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-md font-medium transition-colors disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        primary: 'bg-accent text-on-accent hover:bg-accent-hover',
        secondary: 'border border-line-strong/60 bg-surface text-text hover:bg-hover',
        ghost: 'text-text hover:bg-hover',
        danger: 'bg-danger-solid text-white hover:brightness-90',
      },
      size: {
        sm: 'h-7 px-2.5 text-sm pointer-coarse:h-9',
        md: 'h-8 px-3 text-base pointer-coarse:h-10',
        lg: 'h-10 px-4 text-base',
        icon: 'size-8 pointer-coarse:size-10',
        'icon-sm': 'size-7 pointer-coarse:size-9',
      },
    },
    defaultVariants: { variant: 'secondary', size: 'md' },
  },
);

export interface ButtonProps extends ComponentProps<'button'>, VariantProps<typeof look> {
  /** Renders its one child (a link) with the look of a button. */
  readonly asChild?: boolean;
}

/** A verb. `type` is `button` unless said otherwise, so that none submits a form by accident. */
export function Button({ className, variant, size, asChild, type, ...props }: ButtonProps) {
  const classes = cn(look({ variant, size }), className);
  if (asChild) return <Slot.Root className={classes} {...props} />;
  return <button type={type ?? 'button'} className={classes} {...props} />;
}
