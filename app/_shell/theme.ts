export type Theme = 'system' | 'light' | 'dark';

export const THEME_COOKIE = 'theme';

/** Reads a cookie's value; anything unknown means: follow the system. */
export function parseTheme(value: string | undefined): Theme {
  return value === 'light' || value === 'dark' ? value : 'system';
}
