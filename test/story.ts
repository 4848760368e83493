import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { TaskStatus } from '@/lib/contract/api';
import type { Db } from '@/lib/db/client';

/** What a test says of a task whose life is already written; everything else is filled in legally. */
export interface TaskStory {
  readonly agent?: string;
  readonly status?: TaskStatus;
  readonly extractionId?: string | null;
  readonly documentId?: string | null;
  readonly priority?: number;
  readonly createdAt?: string;
  readonly responseSeconds?: number;
  readonly confidence?: number | null;
  readonly result?: unknown;
  readonly errorCode?: string | null;
  readonly attempts?: readonly AttemptStory[];
}

export interface AttemptStory {
  readonly status: 'succeeded' | 'failed' | 'lost' | 'cancelled' | 'running';
  readonly inputTokens?: number | null;
  readonly outputTokens?: number | null;
  readonly costUsd?: string | null;
}

const FINAL: readonly TaskStatus[] = ['completed', 'failed', 'cancelled'];

/**
 * Writes a task with its attempts as rows, for reading tests; returns its id. As by hand: nothing of it leaves an event.
 */
export async function writeTask(db: Db, story: TaskStory = {}): Promise<string> {
  return byHand(db, (client) => insertTask(client, story));
}

/** Runs statements as a person in psql would, not as one of our own processes. */
export async function byHand<T>(db: Db, fn: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await db.$client.connect();
  try {
    await client.query("begin; set local tickmark.writer = 'a person'");
    const result = await fn(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

async function insertTask(client: pg.PoolClient, story: TaskStory): Promise<string> {
  const id = randomUUID();
  const status = story.status ?? 'enqueued';
  const createdAt = story.createdAt ?? '2026-01-01T00:00:00Z';
  const finishedAt = FINAL.includes(status)
    ? new Date(Date.parse(createdAt) + (story.responseSeconds ?? 1) * 1000).toISOString()
    : null;
  await client.query(
    `insert into tickmark.tasks (id, extraction_id, document_id, agent_id, status, priority, result, confidence, error_code, created_at, finished_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      id,
      story.extractionId ?? null,
      story.documentId ?? null,
      story.agent ?? 'invoice',
      status,
      story.priority ?? 50,
      story.result === undefined ? null : JSON.stringify(story.result),
      story.confidence ?? null,
      story.errorCode ?? null,
      createdAt,
      finishedAt,
    ],
  );
  for (const [index, attempt] of (story.attempts ?? []).entries()) {
    await client.query(
      `insert into tickmark.task_attempts (task_id, agent_id, number, status, claimed_by, claimed_at, finished_at, input_tokens, output_tokens, llm_cost_usd)
       values ($1, $9, $2, $3, 'test', $4, $5, $6, $7, $8)`,
      [
        id,
        index + 1,
        attempt.status,
        createdAt,
        attempt.status === 'running' ? null : (finishedAt ?? createdAt),
        attempt.inputTokens ?? null,
        attempt.outputTokens ?? null,
        attempt.costUsd ?? null,
        story.agent ?? 'invoice',
      ],
    );
  }
  return id;
}

/** Writes an extraction and returns its id; its client is made known. */
export async function writeExtraction(
  db: Db,
  {
    client = null,
    agent = 'invoice',
    name = 'Test',
  }: { client?: string | null; agent?: string; name?: string } = {},
): Promise<string> {
  if (client !== null) {
    await db.$client.query('insert into tickmark.clients (name) values ($1) on conflict do nothing', [
      client,
    ]);
  }
  const { rows } = await db.$client.query(
    `insert into tickmark.extractions (client, name, agent_id, submitted_by) values ($1, $2, $3, 'test') returning id`,
    [client, name, agent],
  );
  return rows[0].id;
}
