import { z } from 'zod';
import { ClassifyingDefinition, ExternalDefinition, ExtractionDefinition } from './agent-definition';

/** A price in US dollars per million tokens, as exact decimal strings. */
export const ModelPrice = z.object({
  model: z.string(),
  input: z.string(),
  cachedInput: z.string(),
  cacheWrite: z.string(),
  output: z.string(),
});
export type ModelPrice = z.infer<typeof ModelPrice>;

/**
 * Where a run's trace goes. `mlflow`: an open-source server, by OTLP. `databricks`: OTLP into the Unity Catalog table
 * `spansTable`, or, where that is null, a finished trace into the experiment's own storage. On Databricks a run sends
 * its own bearer token, so there is none in here.
 */
export const TraceTarget = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('mlflow'),
    url: z.url(),
    experimentId: z.string(),
    /** The `Authorization` header that the server asks for; null = none. */
    authorization: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('databricks'),
    url: z.url(),
    experimentId: z.string(),
    /** `<catalog>.<schema>.<table>` */
    spansTable: z.string().nullable(),
  }),
]);
export type TraceTarget = z.infer<typeof TraceTarget>;

/**
 * What a run is told: `runs/<attemptId>/input.json`, readable by the app and the run alone. It holds the callback key
 * of this one attempt and, where set, the model's API key; a run gets no other secret and no database credential.
 */
export const RunInput = z.object({
  version: z.literal(1),
  taskId: z.guid(),
  attemptId: z.guid(),
  /** 32 lower-case hex digits, chosen at the claim; MLflow knows the trace as `tr-<traceId>`. */
  traceId: z.string(),
  /** Left out: the run records no trace. */
  tracing: TraceTarget.optional(),
  agent: z.object({
    id: z.string(),
    version: z.number().int(),
    /** `external`: the program itself knows what to do. */
    definition: z.discriminatedUnion('kind', [
      ExtractionDefinition,
      ClassifyingDefinition,
      ExternalDefinition,
    ]),
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
    /** The model sees: it is shown pages whose text had to be recognised. */
    vision: z.boolean().optional(),
  }),
  /** In force when the run was dispatched; a model that is not listed has no price. */
  prices: z.array(ModelPrice).optional(),
  limits: z.object({
    maxRunSeconds: z.number().positive(),
    maxMemoryMb: z.number().positive(),
    maxPages: z.number().int().positive(),
  }),
});
export type RunInput = z.infer<typeof RunInput>;
