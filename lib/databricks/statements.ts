import { z } from 'zod';
import type { CallClock } from './call-clock';
import type { WorkspaceClient } from './workspace-client';
import { WorkspaceError } from './workspace-error';

/** A named marker's value; the platform takes all as text. */
export interface Parameter {
  readonly name: string;
  readonly value: string;
  readonly type: 'STRING' | 'DATE';
}

/** Every cell is a text or null, whatever its type. */
export type Row = Readonly<Record<string, string | null>>;

/** A SQL warehouse, by Statement Execution API 2.0. */
export interface Warehouse {
  /**
   * Runs a statement that only reads, and gives all its rows. A warehouse that is stopped starts first, which counts in
   * `withinMs`. Throws `WorkspaceError`, or {@link StatementError} where the statement itself came to nothing.
   */
  read(
    statement: string,
    parameters: readonly Parameter[],
    options: { readonly withinMs: number },
  ): Promise<Row[]>;
}

/** A statement that failed, was cancelled or took too long; the message is fit to be read by people. */
export class StatementError extends Error {
  constructor(
    message: string,
    /** Such as `BAD_REQUEST`; null where there is none. */
    readonly errorCode: string | null,
  ) {
    super(message);
    this.name = 'StatementError';
  }
}

const Cells = z.array(z.array(z.string().nullable()));
const Chunk = z.object({ data_array: Cells.nullish(), next_chunk_index: z.number().int().nullish() });
const Answer = z.object({
  statement_id: z.string(),
  status: z.object({
    state: z.string(),
    error: z.object({ error_code: z.string().nullish(), message: z.string().nullish() }).nullish(),
  }),
  manifest: z
    .object({
      schema: z.object({ columns: z.array(z.object({ name: z.string() })).nullish() }).nullish(),
      truncated: z.boolean().nullish(),
    })
    .nullish(),
  result: Chunk.nullish(),
});
type Answer = z.output<typeof Answer>;

const BASE = '/api/2.0/sql/statements';
/** The server waits so long for the first answer, which is most often the last one. */
const WAIT_SECONDS = 30;
const FIRST_CALL_MS = 75_000;
const POLL_STEP_MS = 1_000;
const POLL_LONGEST_MS = 5_000;
/** Any other state, also one that we don't know, goes on. */
const ENDS = new Set(['SUCCEEDED', 'FAILED', 'CANCELED', 'CLOSED']);

export function createWarehouse(client: WorkspaceClient, warehouseId: string, clock: CallClock): Warehouse {
  return {
    async read(statement, parameters, { withinMs }) {
      const until = clock.now() + withinMs;
      const first = await client.json({
        method: 'POST',
        path: BASE,
        json: {
          warehouse_id: warehouseId,
          statement,
          parameters,
          wait_timeout: `${WAIT_SECONDS}s`,
          on_wait_timeout: 'CONTINUE',
          disposition: 'INLINE',
          format: 'JSON_ARRAY',
        },
        timeoutMs: FIRST_CALL_MS,
        // It only reads: a second one costs a little and changes nothing.
        idempotent: true,
      });
      const answer = await untilEnd(client, Answer.parse(first), { clock, until });
      if (answer.status.state !== 'SUCCEEDED') throw failureOf(answer);
      if (answer.manifest?.truncated)
        throw new StatementError('The answer was cut off by the warehouse.', null);
      return readRows(client, answer);
    },
  };
}

async function untilEnd(
  client: WorkspaceClient,
  first: Answer,
  { clock, until }: { readonly clock: CallClock; readonly until: number },
): Promise<Answer> {
  const path = `${BASE}/${encodeURIComponent(first.statement_id)}`;
  let answer = first;
  for (let polls = 1; !ENDS.has(answer.status.state); polls += 1) {
    if (clock.now() >= until) {
      // It would go on by itself for days. Whether it is cancelled makes no difference to the answer.
      await client.json({ method: 'POST', path: `${path}/cancel`, idempotent: true }).catch(() => {});
      throw new StatementError(
        `The SQL warehouse did not answer in time (the statement is ${answer.status.state}). It may still be starting: ask again.`,
        null,
      );
    }
    await clock.wait(Math.min(polls * POLL_STEP_MS, POLL_LONGEST_MS));
    answer = Answer.parse(await client.json({ method: 'GET', path, idempotent: true }));
  }
  return answer;
}

function failureOf({ status: { state, error } }: Answer): StatementError {
  const said = error?.message ?? 'nothing was said about why';
  const what =
    state === 'FAILED'
      ? 'failed'
      : state === 'CLOSED'
        ? 'was closed before its answer was read'
        : 'was cancelled';
  return new StatementError(`The statement ${what}: ${said.slice(0, 600)}`, error?.error_code ?? null);
}

async function readRows(client: WorkspaceClient, { statement_id, manifest, result }: Answer): Promise<Row[]> {
  const names = (manifest?.schema?.columns ?? []).map(({ name }) => name);
  const rows: Row[] = [];
  let chunk = result ?? {};
  for (;;) {
    for (const cells of chunk.data_array ?? []) {
      rows.push(Object.fromEntries(names.map((name, position) => [name, cells[position] ?? null])));
    }
    const next = chunk.next_chunk_index;
    if (next === null || next === undefined) return rows;
    const path = `${BASE}/${encodeURIComponent(statement_id)}/result/chunks/${next}`;
    chunk = Chunk.parse((await client.json({ method: 'GET', path, idempotent: true })) ?? {});
    if (chunk.next_chunk_index === next) {
      throw new WorkspaceError(`${path}: the chunk names itself as the next`, {
        status: 200,
        retryable: false,
      });
    }
  }
}
