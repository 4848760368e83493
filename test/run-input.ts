import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { InvoiceFields } from '@/lib/contract/fields';
import type { RunInput } from '@/lib/contract/run-input';

/** Agent `invoice` as its first version is seeded, but for the instructions. */
export const INVOICE_AGENT: RunInput['agent'] = {
  id: 'invoice',
  version: 1,
  definition: {
    kind: 'extract',
    documentType: 'invoice',
    instructions: '',
    schema: z.toJSONSchema(InvoiceFields) as Record<string, unknown>,
  },
  candidates: [],
};

/** The input of a run of agent `general`, for tests; `change` over it. */
export function runInputForTest(change: Partial<RunInput> = {}): RunInput {
  return {
    version: 1,
    taskId: randomUUID(),
    attemptId: randomUUID(),
    traceId: randomBytes(16).toString('hex'),
    agent: {
      id: 'general',
      version: 1,
      definition: { kind: 'extract', documentType: 'general', instructions: '', schema: {} },
      candidates: [],
    },
    document: { path: '/none.pdf', filename: 'none.pdf', sizeBytes: 1, pageCount: 1 },
    callback: { url: 'http://127.0.0.1:9/', key: 'k' },
    model: { baseUrl: 'http://127.0.0.1:9/v1', apiKey: null, name: 'stub' },
    limits: { maxRunSeconds: 60, maxMemoryMb: 1_536, maxPages: 2_000 },
    ...change,
  };
}
