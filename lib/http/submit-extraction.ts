import 'server-only';
import type { UploadAnswer } from '@/lib/contract/api';
import { NewExtraction } from '@/lib/contract/api-requests';
import type { SessionUser } from '@/lib/contract/roles';
import { readExtraction } from '@/lib/dashboard/extraction-detail';
import type { Tx } from '@/lib/db/client';
import { type AddedDocument, addDocuments } from '@/lib/documents/add-documents';
import { createExtraction } from '@/lib/documents/create-extraction';
import { type ExtractionTarget, findExtraction, requireAgent } from '@/lib/documents/find-extraction';
import { DomainError } from '@/lib/errors';
import type { AppRuntime } from './app-runtime';
import { type Answer, answerOnce, idempotencyKey } from './idempotency';
import { json } from './json';
import { InvalidInput } from './problem';
import { readJson } from './read-body';
import { describeFiles, type ReceivedFiles, receiveFiles } from './receive-files';

interface Submission {
  readonly request: Request;
  readonly runtime: AppRuntime;
  readonly user: SessionUser;
}

const NO_FILES: ReceivedFiles = { files: [], rejected: [] };

/** Opens an extraction, from JSON or from multipart fields followed by files: 201 `{extraction, tasks, rejected}`. */
export async function submitExtraction({ request, runtime, user }: Submission): Promise<Response> {
  const key = idempotencyKey(request.headers);
  const isMultipart = /^multipart\//i.test(request.headers.get('content-type') ?? '');
  let draft: NewExtraction | undefined;
  const check = async (fields: unknown) => {
    draft = parseDraft(fields);
    await requireAgent(runtime.db, draft.agent);
  };
  let received = NO_FILES;
  if (isMultipart) {
    received = await receiveFiles(request, runtime.documents, runtime.config.maxFileBytes, check);
  } else {
    await check(await readJson(request));
  }
  if (!draft) throw new Error('fields were not read');
  const chosen = draft;
  const once = {
    scope: `${user.id} POST /extractions`,
    key,
    asked: { ...chosen, files: describeFiles(received) },
  };
  const answer = await answerOnce(runtime.db, once, async (tx) => {
    const created = await createExtraction(tx, {
      agentId: chosen.agent,
      client: chosen.client ?? null,
      name: chosen.name ?? null,
      priority: chosen.priority ?? null,
      submittedBy: user.id,
    });
    const added = await addDocuments(tx, created, received.files, `user:${user.id}`);
    return {
      status: 201,
      body: { extraction: await readExtraction(tx, created.id), ...outcome(added, received) },
    };
  });
  return toResponse(answer);
}

/** Adds files to an extraction: 201 `{tasks, rejected}`. */
export async function submitDocuments(submission: Submission, extractionId: string): Promise<Response> {
  const { request, runtime, user } = submission;
  const key = idempotencyKey(request.headers);
  const extraction = await getExtractionOrThrow(runtime, extractionId);
  const received = await receiveFiles(
    request,
    runtime.documents,
    runtime.config.maxFileBytes,
    async () => {},
  );
  if (received.files.length + received.rejected.length === 0) {
    throw new DomainError('bad_request', 'No file was sent. Send one or more parts called "files".');
  }
  const once = {
    scope: `${user.id} POST /extractions/${extractionId.toLowerCase()}/documents`,
    key,
    asked: describeFiles(received),
  };
  const answer = await answerOnce(runtime.db, once, async (tx: Tx) => ({
    status: 201,
    body: outcome(await addDocuments(tx, extraction, received.files, `user:${user.id}`), received),
  }));
  return toResponse(answer);
}

async function getExtractionOrThrow(runtime: AppRuntime, id: string): Promise<ExtractionTarget> {
  const extraction = await findExtraction(runtime.db, id);
  if (!extraction) throw new DomainError('not_found', 'There is no such extraction.');
  return extraction;
}

function parseDraft(fields: unknown): NewExtraction {
  const draft = NewExtraction.safeParse(fields);
  if (!draft.success) throw new InvalidInput('body', draft.error);
  return draft.data;
}

function outcome(added: readonly AddedDocument[], received: ReceivedFiles): UploadAnswer {
  return {
    tasks: added.map(({ taskId, documentId, filename }) => ({
      id: taskId,
      documentId,
      filename,
      status: 'enqueued',
    })),
    rejected: [...received.rejected],
  };
}

function toResponse({ status, body, replayed }: Answer & { readonly replayed: boolean }): Response {
  return json(body, status, replayed ? { 'idempotent-replayed': 'true' } : {});
}
