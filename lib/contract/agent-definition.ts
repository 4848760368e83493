import { z } from 'zod';

/** A JSON Schema as it is handed to the model; validated where it is used, not here. */
export const JsonSchema = z.record(z.string(), z.unknown());
export type JsonSchema = z.infer<typeof JsonSchema>;

/** What an agent extracts: immutable once stored as a row of `agent_versions`. */
export const ExtractionDefinition = z.object({
  kind: z.literal('extract'),
  documentType: z.string().min(1),
  instructions: z.string(),
  /** An object schema whose properties are the field names, in the order in which they are shown. */
  schema: JsonSchema,
});
export type ExtractionDefinition = z.infer<typeof ExtractionDefinition>;

/** An agent that first decides which other agent's definition fits the document. */
export const ClassifyingDefinition = z.object({
  kind: z.literal('classify'),
  candidates: z.array(z.string().min(1)).min(1),
});

/** An agent of another author; Tickmark only dispatches it. */
export const ExternalDefinition = z.object({ kind: z.literal('external') });

export const AgentDefinition = z.discriminatedUnion('kind', [
  ExtractionDefinition,
  ClassifyingDefinition,
  ExternalDefinition,
]);
export type AgentDefinition = z.infer<typeof AgentDefinition>;
