import { z } from 'zod';
import { Count, Id, Instant } from './api';

export const AgentEstimates = z
  .object({
    version: z.number().int().nullable().describe('null = nothing learnt yet'),
    samples: Count.nullable(),
    tokensPerPage: z.number().nullable(),
    secondsPerPage: z.number().nullable(),
    learntAt: Instant.nullable(),
    tokenError: z
      .number()
      .nullable()
      .describe('Median of |actual − estimated| ÷ actual over its last attempts that succeeded'),
    secondsError: z.number().nullable(),
  })
  .meta({ id: 'AgentEstimates' });

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
    retryBaseSeconds: z.number().describe('Wait after the first failed attempt'),
    retryFactor: z.number().describe('Each further wait is so many times as long'),
    retryCapSeconds: z.number().describe('Longest wait; of each, up to half is left out at random'),
    paused: z.boolean(),
    state: z
      .enum(['open', 'paused', 'draining', 'drained'])
      .describe('draining: paused, some of its tasks are still in flight; drained: none is'),
    drainedAt: Instant.nullable(),
    fair: z.boolean().describe('Extractions of one priority take turns'),
    ageingSeconds: z
      .number()
      .int()
      .nullable()
      .describe('Waiting so long counts as one step of priority; null = priority is strict'),
    oversize: z.enum(['run_alone', 'hold']),
    throttleMode: z.enum(['none', 'concurrency', 'tokens', 'both']),
    effective: z
      .object({ maxConcurrentTasks: Count.nullable(), maxTpm: Count.nullable() })
      .describe('The strictest of its own limits, the ceilings over all agents and the lowered limits'),
    lowered: z
      .object({
        maxConcurrentTasks: Count.nullable(),
        maxTpm: Count.nullable(),
        since: Instant,
        reason: z.string().describe('Code and message of what told the agent to slow down last'),
        next: z
          .object({ at: Instant, maxConcurrentTasks: Count.nullable(), maxTpm: Count.nullable() })
          .describe('The next step up, unless it is told again before; null = no longer lowered'),
      })
      .nullable()
      .describe(
        'Limits that a 429, or a model that was not available, has lowered; raised again step by step',
      ),
    coolingUntil: Instant.nullable(),
    estimates: AgentEstimates,
    counts: z.object({ enqueued: Count, processing: Count }),
    inUse: z
      .object({ tasks: Count, tpm: Count })
      .describe(
        'What counts against its limits now: runs that were superseded and may still go on too; tokens per minute reserved, and used within the last minute',
      ),
    updatedAt: Instant,
  })
  .meta({ id: 'Agent' });
export type Agent = z.infer<typeof Agent>;

export const AgentList = z.object({ agents: z.array(Agent) }).meta({ id: 'AgentList' });
export type AgentList = z.infer<typeof AgentList>;

/** Values of a setting before and after; null = no own limit. */
const SettingValue = z.union([z.string(), z.number(), z.boolean()]).nullable();

export const AgentChange = z
  .object({
    id: Id,
    agent: z.string().nullable().describe('null: the ceilings over all agents'),
    at: Instant,
    actor: z.string().describe('`user:<id>`; `sql:<role>` for a change with SQL; `start` for the ceilings'),
    changes: z.array(
      z.object({
        setting: z.string().describe('Named as in `PATCH /api/v1/agents/{id}`'),
        from: SettingValue,
        to: SettingValue,
      }),
    ),
  })
  .meta({ id: 'AgentChange' });
export type AgentChange = z.infer<typeof AgentChange>;

export const AgentHistory = z
  .object({ changes: z.array(AgentChange), nextCursor: z.string().nullable() })
  .meta({ id: 'AgentHistory' });
export type AgentHistory = z.infer<typeof AgentHistory>;
