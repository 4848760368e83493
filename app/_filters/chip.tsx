'use client';

import { ChevronDown, type LucideIcon } from 'lucide-react';
import { Popover } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button } from '../_ui/button';
import { cn } from '../_ui/cn';

interface ChipProps {
  readonly icon: LucideIcon;
  readonly label: string;
  /** What is chosen, in a few words; null: nothing is. */
  readonly value: ReactNode;
  readonly className?: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly children: ReactNode;
}

/** One filter: what it is set to, and behind it the choice. */
export function Chip({ icon: Icon, label, value, className, open, onOpenChange, children }: ChipProps) {
  return (
    <Popover.Root open={open} onOpenChange={onOpenChange}>
      <Popover.Trigger asChild>
        <Button
          className={cn(
            'max-w-72 font-normal',
            value === null ? 'border-line text-muted' : 'border-accent bg-accent-soft',
          )}
        >
          <Icon className="size-3.5!" />
          <span className="truncate">{value === null ? label : <Chosen label={label}>{value}</Chosen>}</span>
          <ChevronDown className="size-3! text-muted" />
        </Button>
      </Popover.Trigger>
      <Popover.Content
        aria-label={label}
        align="start"
        sideOffset={6}
        collisionPadding={8}
        className={cn('z-50 animate-appear rounded-md border border-line bg-surface shadow-float', className)}
      >
        {children}
      </Popover.Content>
    </Popover.Root>
  );
}

function Chosen({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <>
      <span className="sr-only">{label}: </span>
      {children}
    </>
  );
}
