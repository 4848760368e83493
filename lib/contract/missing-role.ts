import type { Role } from './roles';

/** What somebody is told whose role is not enough. */
export function missingRole(needed: readonly Role[], has: Role): string {
  return `This needs the role ${needed.join(' or ')}; you are signed in as ${has}.`;
}

/** The role that a refusal saw, out of {@link missingRole}'s words; null where it says something else. */
export function roleSeen(words: string): string | null {
  return /; you are signed in as (\w+)\.$/.exec(words)?.[1] ?? null;
}
