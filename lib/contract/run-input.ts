import { z } from 'zod';
import { ClassifyingDefinition, ExtractionDefinition } from './agent-definition';

/**
 * What a run is told: `runs/<attemptId>/input.json`, readable by the app and the run alone. It holds the callback key
 * of this one attempt and, where set, the model's API key; a run gets no other secret and no database credential.
 */
export const RunInput = z.object({
  version: z.literal(1),
  taskId: z.guid(),
  attemptId: z.guid(),
  traceId: z.string(),
  agent: z.object({
    id: z.string(),
    version: z.number().int(),
    definition: z.discriminatedUnion('kind', [ExtractionDefinition, ClassifyingDefinition]),
    /** For a classifying agent: the definitions it chooses from. */
    candidates: z.array(ExtractionDefinition).default([]),
  }),
  document: z.object({
    /** Absolute path that the run can open. */
    path: z.string(),
    filename: z.string(),
    sizeBytes: z.number().int(),
    pageCount: z.number().int().nullable(),
  }),
  callback: z.object({
    url: z.url(),
    /** Hex HMAC-SHA256(WEBHOOK_SECRET, "attempt:" + attemptId): signs this attempt's callbacks only. */
    key: z.string(),
  }),
  model: z.object({
    baseUrl: z.url(),
    apiKey: z.string().nullable(),
    name: z.string(),
    /** `run`: no key; the run asks for a token of its own before each call (Model Serving). */
    auth: z.enum(['key', 'run']).optional(),
  }),
  limits: z.object({
    maxRunSeconds: z.number().positive(),
    maxMemoryMb: z.number().positive(),
    maxPages: z.number().int().positive(),
  }),
});
export type RunInput = z.infer<typeof RunInput>;
