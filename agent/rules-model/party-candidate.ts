import type { Line } from './page-text';

/** A name that may be seller or buyer, with what speaks for either. */
export interface PartyCandidate {
  readonly name: string;
  readonly line: Line;
  readonly quote: string;
  readonly seller: number;
  readonly buyer: number;
}
