/** How many hues there are: more can't be told apart. They are in globals.css, for both themes. */
const HUES = 8;

/**
 * A colour for each agent. It hangs on the id alone unless two ids fall on the same hue, where the one that comes
 * later in the alphabet gets the next that is free: so it stays the same whatever a page shows, as long as all
 * agents are given.
 * @param ids of all agents
 */
export function agentColors(ids: readonly string[]): (id: string) => string {
  const taken = new Map<number, string>();
  const hues = new Map<string, number>();
  for (const id of [...ids].sort()) {
    let hue = hueOf(id);
    for (let step = 0; step < HUES && taken.has(hue); step += 1) hue = (hue + 1) % HUES;
    taken.set(hue, id);
    hues.set(id, hue);
  }
  return (id) => `var(--agent-${(hues.get(id) ?? hueOf(id)) + 1})`;
}

/** FNV-1a: spreads short names well. */
function hueOf(id: string): number {
  let hash = 0x811c9dc5;
  for (const char of id) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0) % HUES;
}
