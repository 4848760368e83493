import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { StreamedAnswer, WorkspaceClient } from './workspace-client';
import { WorkspaceError } from './workspace-error';

/** A volume as a place for files: Files API 2.0. Paths are absolute, such as `/Volumes/c/s/v/a.pdf`. */
export interface VolumeFiles {
  /** Size of a file in bytes; null when it is absent. */
  size(path: string): Promise<number | null>;
  /**
   * Writes a file; its folder must be there. With `overwrite: false` the outcome `exists` means that something was there,
   * `no_folder` that the folder was not.
   */
  upload(
    path: string,
    content: Content,
    options: { overwrite: boolean },
  ): Promise<'written' | 'exists' | 'no_folder'>;
  /** Opens a file, whole or from one byte to another (both inclusive); null when absent. */
  download(
    path: string,
    range?: { readonly start: number; readonly end: number },
  ): Promise<StreamedAnswer | null>;
  /** Absent already is no error. */
  remove(path: string): Promise<void>;
  /** With all folders above it. There already is no error. */
  makeFolder(path: string): Promise<void>;
  /** What a folder holds; nothing when it is absent. */
  list(path: string): Promise<Entry[]>;
  /** Removes an empty folder. Absent already is no error. */
  removeFolder(path: string): Promise<void>;
}

/** Bytes that can be sent again from their start. */
export interface Content {
  readonly sizeBytes: number;
  open(): Readable;
}

export interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
}

const FILES = '/api/2.0/fs/files';
const FOLDERS = '/api/2.0/fs/directories';
const PAGE_SIZE = 1000;
const ListAnswer = z.object({
  contents: z.array(z.object({ name: z.string(), is_directory: z.boolean().optional() })).optional(),
  next_page_token: z.string().nullish(),
});

/** Beyond a minute, a sender is given the time of a slow line: 256 KiB/s. */
const UPLOAD_MS = 60_000;
const SLOW_BYTES_PER_MS = 262;

/** @param volume such as `/Volumes/main/tickmark/documents`, for the words of errors */
export function createVolumeFiles(client: WorkspaceClient, volume: string): VolumeFiles {
  const explained = <T>(call: Promise<T>): Promise<T> =>
    call.catch((error: unknown) => explain(error, volume));

  return {
    async size(path) {
      const answer = await explained(
        orAbsent(client.stream({ method: 'HEAD', path: `${FILES}${encodePath(path)}`, idempotent: true })),
      );
      if (!answer) return null;
      answer.body.resume();
      return wholeNumber(answer.header('content-length'));
    },

    upload: (path, content, { overwrite }) =>
      explained(
        client
          .stream({
            method: 'PUT',
            path: `${FILES}${encodePath(path)}`,
            // Left out, it would mean true.
            query: { overwrite },
            content,
            timeoutMs: UPLOAD_MS + content.sizeBytes / SLOW_BYTES_PER_MS,
            idempotent: true,
          })
          .then(({ body }) => {
            body.resume();
            return 'written' as const;
          })
          .catch((error: unknown) => {
            if (isStatus(error, 409) && !overwrite) return 'exists' as const;
            if (isStatus(error, 404)) return 'no_folder' as const;
            throw error;
          }),
      ),

    download: (path, range) =>
      explained(
        orAbsent(
          client.stream({
            method: 'GET',
            path: `${FILES}${encodePath(path)}`,
            headers: range && { range: `bytes=${range.start}-${range.end}` },
            idempotent: true,
          }),
        ),
      ),

    async remove(path) {
      await explained(
        orAbsent(client.json({ method: 'DELETE', path: `${FILES}${encodePath(path)}`, idempotent: true })),
      );
    },

    async makeFolder(path) {
      await explained(
        client.json({ method: 'PUT', path: `${FOLDERS}${encodePath(path)}`, idempotent: true }),
      );
    },

    list: (path) => explained(listAll(client, path)),

    async removeFolder(path) {
      await explained(
        orAbsent(client.json({ method: 'DELETE', path: `${FOLDERS}${encodePath(path)}`, idempotent: true })),
      );
    },
  };
}

/** Its end is told by the missing token, not by a short page. */
async function listAll(client: WorkspaceClient, path: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  let token: string | undefined;
  do {
    const query = { page_size: PAGE_SIZE, page_token: token };
    const call = client.json({
      method: 'GET',
      path: `${FOLDERS}${encodePath(path)}`,
      query,
      idempotent: true,
    });
    const raw = await orAbsent(call);
    // Removed while it was being listed: what was seen of it is gone, too.
    if (raw === null) return [];
    const answer = ListAnswer.parse(raw ?? {});
    for (const { name, is_directory } of answer.contents ?? [])
      entries.push({ name, isFolder: is_directory ?? false });
    token = answer.next_page_token || undefined;
  } while (token !== undefined);
  return entries;
}

/** Each segment is percent-encoded, the slashes are kept. */
function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** Null for 404. */
async function orAbsent<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (isStatus(error, 404)) return null;
    throw error;
  }
}

function isStatus(error: unknown, status: number): boolean {
  return error instanceof WorkspaceError && error.status === status;
}

function wholeNumber(value: string | undefined): number | null {
  return value !== undefined && /^\d+$/.test(value) ? Number(value) : null;
}

/** A refusal in the words of whoever can grant. Permission is checked before existence, so this may also be a wrong name. */
function explain(error: unknown, volume: string): never {
  if (!isStatus(error, 403)) throw error;
  const [, , catalog, schema] = volume.split('/');
  throw new WorkspaceError(
    `The volume ${volume} can't be used. Grant the app's service principal USE CATALOG on ${catalog}, USE SCHEMA on ${catalog}.${schema}, and READ VOLUME and WRITE VOLUME on the volume (or add the volume to the app as a resource with “Can read and write”), and check TICKMARK_VOLUME. ${(error as WorkspaceError).message}`,
    error as WorkspaceError,
    { cause: error },
  );
}
