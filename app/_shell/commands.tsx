'use client';

import type { LucideIcon } from 'lucide-react';
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';

/** Something that the page on screen can do; the palette offers it by name. */
export interface Command {
  readonly id: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly run: () => void;
  /** Its key on this page, for those who want to learn it. */
  readonly keys?: string;
}

interface Registry {
  readonly commands: readonly Command[];
  readonly offer: (commands: readonly Command[]) => () => void;
}

const CommandsContext = createContext<Registry>({ commands: [], offer: () => () => {} });

export function CommandsProvider({ children }: { readonly children: ReactNode }) {
  const [offers, setOffers] = useState<readonly (readonly Command[])[]>([]);
  const [offer] = useState(() => (commands: readonly Command[]) => {
    setOffers((all) => [...all, commands]);
    return () => setOffers((all) => all.filter((one) => one !== commands));
  });
  const registry = useMemo(() => ({ commands: offers.flat(), offer }), [offers, offer]);
  return <CommandsContext value={registry}>{children}</CommandsContext>;
}

/** What the page on screen offers now. */
export function useOfferedCommands(): readonly Command[] {
  return use(CommandsContext).commands;
}

/**
 * Offers commands in the palette for as long as the component is shown.
 * @param commands the same array for as long as they are the same
 */
export function useCommands(commands: readonly Command[]) {
  const { offer } = use(CommandsContext);
  useEffect(() => (commands.length > 0 ? offer(commands) : undefined), [offer, commands]);
}
