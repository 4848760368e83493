import type { Bench } from '../bench';
import type { Part } from '../measurement';
import { callbacks } from './callbacks';
import { claimTime } from './claim-time';
import { crash } from './crash';
import { fanOut } from './fan-out';
import { features } from './features';
import { figures } from './figures';
import { latency } from './latency';
import { limits } from './limits';
import { priority } from './priority';
import { sustained } from './sustained';
import { throughput } from './throughput';

/** All that can be measured, in the order in which it is. */
export const PARTS = {
  throughput,
  features,
  latency,
  priority,
  claim: claimTime,
  crash,
  limits,
  callbacks,
  fanout: fanOut,
  sustained,
  figures,
} as const satisfies Record<string, (bench: Bench) => Promise<Part>>;
