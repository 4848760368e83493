import type { Bench } from '../bench';
import type { Part } from '../measurement';
import { features } from './features';
import { latency } from './latency';
import { priority } from './priority';
import { throughput } from './throughput';

/** All that can be measured, in the order in which it is. */
export const PARTS = {
  throughput,
  features,
  latency,
  priority,
} as const satisfies Record<string, (bench: Bench) => Promise<Part>>;
