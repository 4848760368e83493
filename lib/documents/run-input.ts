import { sql } from 'drizzle-orm';
import { AgentDefinition, type ExtractionDefinition } from '@/lib/contract/agent-definition';
import type { RunInput, TraceTarget } from '@/lib/contract/run-input';
import { attemptKey } from '@/lib/contract/signature';
import type { Db } from '@/lib/db/client';
import type { DocumentStore } from '@/lib/platform/document-store/port';
import type { ClaimedTask } from '@/lib/queue/claim';
import { pricesInForce } from '@/lib/usage/prices-in-force';

/** What a run is told besides its document. */
export interface RunSettings {
  /** Where callbacks go. */
  readonly callbackUrl: string;
  readonly webhookSecret: string;
  readonly model: RunInput['model'];
  /** Where it sends its trace; undefined = it records none. */
  readonly tracing?: TraceTarget | undefined;
  readonly maxMemoryMb: number;
  readonly maxPages: number;
  /** Agents of other authors that this platform has programs for. */
  readonly programAgents: ReadonlySet<string>;
}

/** The input of a run, or why there can be none. */
export type BuiltInput =
  | { readonly kind: 'built'; readonly input: RunInput }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };

/** Puts together `input.json` of a claimed attempt: its agent's version as it was at the claim, its document, its key. */
export async function buildRunInput(
  deps: { readonly db: Db; readonly store: DocumentStore; readonly settings: RunSettings },
  claimed: ClaimedTask,
): Promise<BuiltInput> {
  const { db, store, settings } = deps;
  const definition = await readDefinition(db, claimed.agentId, claimed.agentVersion);
  if (definition.kind === 'external' && !settings.programAgents.has(claimed.agentId)) {
    return refuse(
      `Agent “${claimed.agentId}” has no program here. Name it in TICKMARK_AGENTS_FILE and start the worker anew, then retry.`,
    );
  }
  if (claimed.documentId === null) return refuse('The task has no document, and this agent reads documents.');
  const document = await readDocument(db, claimed.documentId);
  if (!document) return refuse('The document of this task is gone.');
  const path = documentPath(store, document.storage_uri);
  if (path === null)
    return refuse('The document is kept in another place than this installation reads from.');
  const candidates = definition.kind === 'classify' ? await readCandidates(db, definition.candidates) : [];
  const { tracing } = settings;
  const input: RunInput = {
    version: 1,
    taskId: claimed.taskId,
    attemptId: claimed.attemptId,
    traceId: claimed.traceId,
    agent: { id: claimed.agentId, version: claimed.agentVersion, definition, candidates },
    document: {
      path,
      filename: document.filename,
      sizeBytes: Number(document.size_bytes),
      pageCount: document.page_count,
    },
    callback: {
      url: settings.callbackUrl,
      key: attemptKey(settings.webhookSecret, claimed.attemptId),
    },
    model: settings.model,
    // Only a trace wants them: in a report our own table sets the cost.
    ...(tracing ? { tracing, prices: await pricesInForce(db) } : {}),
    limits: {
      maxRunSeconds: claimed.maxRunSeconds,
      maxMemoryMb: settings.maxMemoryMb,
      maxPages: settings.maxPages,
    },
  };
  return { kind: 'built', input };
}

/** Where a run finds a document; `null` for an address that is not one of this store, which trying again would not change. */
export function documentPath(store: Pick<DocumentStore, 'pathForRun'>, storageUri: string): string | null {
  try {
    return store.pathForRun(storageUri);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function refuse(message: string): BuiltInput {
  return { kind: 'refused', code: 'internal', message };
}

async function readDefinition(db: Db, agentId: string, version: number): Promise<AgentDefinition> {
  const { rows } = await db.execute<{ definition: unknown }>(sql`
    /* documents.agent_definition */
    select definition from tickmark.agent_versions where agent_id = ${agentId} and version = ${version}`);
  return AgentDefinition.parse(rows[0]?.definition);
}

/** What a classifying agent chooses from, in its own order. */
async function readCandidates(db: Db, agentIds: readonly string[]): Promise<ExtractionDefinition[]> {
  const { rows } = await db.execute<{ definition: unknown }>(sql`
    /* documents.candidate_definitions */
    select agent_versions.definition
    from unnest(${sql.param([...agentIds])}::text[]) with ordinality as candidate (agent_id, place)
    join tickmark.agents on agents.id = candidate.agent_id
    join tickmark.agent_versions
      on agent_versions.agent_id = agents.id and agent_versions.version = agents.current_version
    order by candidate.place`);
  return rows
    .map((row) => AgentDefinition.parse(row.definition))
    .filter((definition) => definition.kind === 'extract');
}

interface DocumentRow extends Record<string, unknown> {
  filename: string;
  size_bytes: string;
  page_count: number | null;
  storage_uri: string;
}

async function readDocument(db: Db, documentId: string): Promise<DocumentRow | null> {
  const { rows } = await db.execute<DocumentRow>(sql`
    /* documents.read */
    select filename, size_bytes, page_count, storage_uri from tickmark.documents where id = ${documentId}`);
  return rows[0] ?? null;
}
