'use client';

import { Check, Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../_ui/button';
import { Menu, MenuItem } from '../_ui/menu';
import { keepPreference } from './preference-cookie';
import { THEME_COOKIE, type Theme } from './theme';

const CHOICES = [
  { theme: 'system', label: 'As the system', icon: Monitor },
  { theme: 'light', label: 'Light', icon: Sun },
  { theme: 'dark', label: 'Dark', icon: Moon },
] as const;

/** Puts a theme on the page at once and keeps it. */
export function applyTheme(theme: Theme) {
  document.documentElement.dataset.theme = theme;
  keepPreference(THEME_COOKIE, theme);
}

export function ThemeMenu({ initial }: { readonly initial: Theme }) {
  const [theme, setTheme] = useState(initial);
  const Current = CHOICES.find((choice) => choice.theme === theme)?.icon ?? Monitor;
  return (
    <Menu
      trigger={
        <Button variant="ghost" size="icon" aria-label="Theme" title="Theme">
          <Current />
        </Button>
      }
    >
      {CHOICES.map(({ theme: choice, label, icon: Icon }) => (
        <MenuItem
          key={choice}
          role="menuitemradio"
          aria-checked={choice === theme}
          onSelect={() => {
            applyTheme(choice);
            setTheme(choice);
          }}
        >
          <Icon />
          <span className="grow">{label}</span>
          {choice === theme && <Check className="text-accent!" />}
        </MenuItem>
      ))}
    </Menu>
  );
}
