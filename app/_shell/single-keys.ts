import { keepPreference } from './preference-cookie';

const COOKIE = 'keys';

/**
 * Whether a letter by itself is a command. Who dictates, or types with little control, turns them off (WCAG 2.1.4);
 * read at each key, so that it holds in every tab at once.
 */
export function areSingleKeysOn(): boolean {
  return !/(?:^|; )keys=off(?:;|$)/.test(document.cookie);
}

export function setSingleKeys(on: boolean) {
  keepPreference(COOKIE, on ? 'on' : 'off');
}
