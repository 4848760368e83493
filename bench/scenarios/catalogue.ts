import type { Bench } from '../bench';
import type { Part } from '../measurement';
import { throughput } from './throughput';

/** All that can be measured, in the order in which it is. */
export const PARTS = {
  throughput,
} as const satisfies Record<string, (bench: Bench) => Promise<Part>>;
