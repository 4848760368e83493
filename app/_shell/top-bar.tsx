import Link from 'next/link';
import { LiveIndicator } from '../_live/live-indicator';
import { Logo } from './logo';
import { PaletteButton } from './palette-button';
import { PersonMenu } from './person-menu';
import type { Theme } from './theme';
import { ThemeMenu } from './theme-menu';

interface TopBarProps {
  readonly theme: Theme;
  readonly pollSeconds: number;
}

export function TopBar({ theme, pollSeconds }: TopBarProps) {
  return (
    <header
      data-print="hide"
      className="sticky top-0 z-20 flex h-12 items-center gap-1 border-line border-b bg-bg px-3 md:px-6"
    >
      <Link
        href="/extractions"
        aria-label="Tickmark"
        className="flex items-center gap-1.5 rounded-md p-1 font-semibold tracking-tight md:hidden"
      >
        <Logo className="size-5 text-accent" />
      </Link>
      <PaletteButton />
      <div className="ms-auto flex items-center gap-1">
        <LiveIndicator pollSeconds={pollSeconds} />
        <ThemeMenu initial={theme} />
        <PersonMenu />
      </div>
    </header>
  );
}
