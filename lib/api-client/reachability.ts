let isAway = false;

/** Remembers whether the last request to our own API got any answer at all. */
export function noteReachable(answered: boolean): void {
  isAway = !answered;
}

/** Nothing answers: knocking is left to the one that asks for a sign of life, or every query on screen would. */
export function isUnreachable(): boolean {
  return isAway;
}
