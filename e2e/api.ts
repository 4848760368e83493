import { type APIRequestContext, expect } from '@playwright/test';
import type { z } from 'zod';
import { Extraction, ExtractionCreated, TaskDetail, TaskList, type TaskStatus } from '@/lib/contract/api';
import type { NewExtraction } from '@/lib/contract/api-requests';

export interface MadeFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The documented HTTP API; every answer is checked against its schema. */
export interface Api {
  readonly request: APIRequestContext;
  /** Opens an extraction with files, in one multipart request. */
  submit(
    fields: Pick<NewExtraction, 'agent'> & Partial<NewExtraction>,
    files: readonly MadeFile[],
    idempotencyKey?: string,
  ): Promise<z.infer<typeof ExtractionCreated>>;
  task(id: string): Promise<TaskDetail>;
  extraction(id: string): Promise<Extraction>;
  tasks(query: Record<string, string>): Promise<TaskList>;
  patchAgent(id: string, change: object): Promise<void>;
  /** Waits until a task has one of the statuses. */
  until(taskId: string, ...statuses: TaskStatus[]): Promise<TaskDetail>;
}

/** A document's work takes seconds; a scan's more, on a small machine that also runs the browser. */
const PATIENCE_MS = 60_000;

export function createApi(request: APIRequestContext): Api {
  const get = async <T>(schema: z.ZodType<T>, address: string): Promise<T> => {
    const answer = await request.get(address);
    expect(answer.status(), address).toBe(200);
    return schema.parse(await answer.json());
  };
  const api: Api = {
    request,
    async submit(fields, files, idempotencyKey) {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
      for (const { name, bytes } of files) {
        form.append('files', new File([new Uint8Array(bytes)], name, { type: 'application/pdf' }));
      }
      const headers = idempotencyKey ? { 'idempotency-key': idempotencyKey } : undefined;
      const answer = await request.post('/api/v1/extractions', { multipart: form, headers });
      expect(answer.status(), await answer.text()).toBe(201);
      return ExtractionCreated.parse(await answer.json());
    },
    task: (id) => get(TaskDetail, `/api/v1/tasks/${id}`),
    extraction: (id) => get(Extraction, `/api/v1/extractions/${id}`),
    tasks: (query) => get(TaskList, `/api/v1/tasks?${new URLSearchParams(query)}`),
    async patchAgent(id, change) {
      const answer = await request.patch(`/api/v1/agents/${id}`, { data: change });
      expect(answer.status(), await answer.text()).toBe(200);
    },
    async until(taskId, ...statuses) {
      let task = await api.task(taskId);
      await expect
        .poll(
          async () => {
            task = await api.task(taskId);
            return statuses.includes(task.status) ? 'there' : `${task.status} ${task.errorCode ?? ''}`;
          },
          { message: `${task.filename} to be ${statuses.join(' or ')}`, timeout: PATIENCE_MS },
        )
        .toBe('there');
      return task;
    },
  };
  return api;
}
