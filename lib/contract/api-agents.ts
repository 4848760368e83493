import { z } from 'zod';
import { Count, Id, Instant } from './api';

export const Agent = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string(),
    version: z.number().int(),
    maxConcurrentTasks: Count.nullable(),
    maxTpm: Count.nullable().describe('Tokens per minute; null = no own limit'),
    leaseSeconds: z.number().int().nullable().describe("null = the worker's LEASE_SECONDS"),
    maxAttempts: Count,
    maxRunSeconds: Count,
    paused: z.boolean(),
    oversize: z.enum(['run_alone', 'hold']),
    throttleMode: z.enum(['none', 'concurrency', 'tokens', 'both']),
    effective: z
      .object({ maxConcurrentTasks: Count.nullable(), maxTpm: Count.nullable() })
      .describe('The stricter of its own limits and the ceilings over all agents'),
    coolingUntil: Instant.nullable(),
    counts: z.object({ enqueued: Count, processing: Count }),
    updatedAt: Instant,
  })
  .meta({ id: 'Agent' });
export type Agent = z.infer<typeof Agent>;

export const AgentList = z.object({ agents: z.array(Agent) }).meta({ id: 'AgentList' });
export type AgentList = z.infer<typeof AgentList>;
