'use client';

import { Tooltip } from 'radix-ui';
import type { ReactNode } from 'react';

/** A short explanation on hover and on focus. Its child must be able to take focus. */
export function Tip({ text, children }: { readonly text: ReactNode; readonly children: ReactNode }) {
  return (
    <Tooltip.Provider delayDuration={250} skipDelayDuration={200}>
      <Tooltip.Root>
        <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
        <Tooltip.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-72 animate-appear rounded-md bg-text px-2.5 py-1.5 text-bg text-xs shadow-float"
        >
          {text}
        </Tooltip.Content>
      </Tooltip.Root>
    </Tooltip.Provider>
  );
}
