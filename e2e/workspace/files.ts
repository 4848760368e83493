import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Hono } from 'hono';
import { z } from 'zod';
import { type Grant, requireGrant } from './identities';
import { forbidden, invalid, missing, Refusal } from './refusal';
import { answer, type Call, type Env, readQuery } from './requests';

/**
 * Files API 2.0 for one Unity Catalog Volume, backed by a folder that jobs see as their mount
 * (databricks-sdk-py `service/files.py`; privileges [https://docs.databricks.com/en/volumes/privileges.html]). Of two readings the
 * stricter: a PUT makes no parent folder (not confirmed; the fake of databricks/cli refuses it too).
 */
export interface FilesSettings {
  /** A PUT whose sender goes away leaves what had arrived: that it is whole or not there is not confirmed. */
  tornUploads: boolean;
}

export interface VolumePlace {
  /** Absolute path of the folder that stands for `/Volumes`. */
  readonly mount: string;
  /** `/Volumes/<catalog>/<schema>/<volume>`. */
  readonly volume: string;
  /** Entries on a page of a listing at most, whatever is asked for: its end is told by the missing token alone. */
  readonly pageEntries: number;
}

const MAX_BYTES = 5 * 1024 ** 3;
const FILES = '/api/2.0/fs/files';
const DIRECTORIES = '/api/2.0/fs/directories';

export function filesRoutes(settings: FilesSettings, place: VolumePlace): Hono<Env> {
  const app = new Hono<Env>();
  const read = (c: Call, prefix: string) => locate(c, place, prefix, ['volume:READ_VOLUME']);
  // Both are needed for writing.
  const write = (c: Call, prefix: string) =>
    locate(c, place, prefix, ['volume:READ_VOLUME', 'volume:WRITE_VOLUME']);

  app.put(`${FILES}/*`, (c) => putFile(c, settings, place, write(c, FILES)));
  app.get(`${FILES}/*`, (c) => getFile(c, read(c, FILES)));
  app.delete(`${FILES}/*`, async (c) => {
    const file = write(c, FILES);
    await fileAt(file);
    await rm(file.onDisk);
    return c.body(null, 204);
  });

  app.put(`${DIRECTORIES}/*`, async (c) => {
    const folder = write(c, DIRECTORIES);
    await mkdir(folder.onDisk, { recursive: true }).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'EEXIST' && cause.code !== 'ENOTDIR') throw cause;
      throw new Refusal(409, 'ALREADY_EXISTS', `${folder.shown} is a file.`);
    });
    return c.body(null, 204);
  });
  app.get(`${DIRECTORIES}/*`, (c) => listFolder(c, place, read(c, DIRECTORIES)));
  app.delete(`${DIRECTORIES}/*`, async (c) => {
    const folder = write(c, DIRECTORIES);
    await folderAt(folder);
    await rmdir(folder.onDisk).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'ENOTEMPTY') throw cause;
      throw new Refusal(400, 'DIRECTORY_NOT_EMPTY', `${folder.shown} is not empty.`);
    });
    return c.body(null, 204);
  });
  return app;
}

interface Place {
  readonly shown: string;
  readonly onDisk: string;
}

/** The place that a call names, once the caller may go there. */
function locate(c: Call, volume: VolumePlace, prefix: string, grants: readonly Grant[]): Place {
  // As it was sent: a URL parser would already have resolved the dots.
  const sent = (c.env.incoming.url ?? '').split('?', 1)[0] ?? '';
  const segments = sent.slice(prefix.length).split('/').slice(1).map(decode);
  if (segments.at(-1) === '' && prefix === DIRECTORIES) segments.pop();
  if (
    segments.some((segment) => segment === '' || segment === '.' || segment === '..' || /[\0/]/.test(segment))
  ) {
    throw invalid(`Invalid path: ${sent}`);
  }
  const shown = `/${segments.join('/')}`;
  if (shown !== volume.volume && !shown.startsWith(`${volume.volume}/`)) {
    // Permission is checked before existence.
    throw forbidden(`User does not have USE CATALOG, USE SCHEMA or READ VOLUME for ${shown}.`);
  }
  for (const grant of grants) {
    requireGrant(c.get('token'), grant, 'files.files', `Volume '${volume.volume}'`);
  }
  return { shown, onDisk: path.join(volume.mount, ...segments.slice(1)) };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw invalid(`Invalid percent encoding in the path: ${segment}`);
  }
}

async function putFile(
  c: Call,
  settings: FilesSettings,
  volume: VolumePlace,
  file: Place,
): Promise<Response> {
  const { overwrite } = readQuery(c, z.strictObject({ overwrite: z.enum(['true', 'false']).optional() }));
  if (Number(c.req.header('content-length') ?? 0) > MAX_BYTES) throw invalid('A file has at most 5 GiB.');
  const parent = await stat(path.dirname(file.onDisk)).catch(() => null);
  if (!parent?.isDirectory()) throw missing(`The parent directory of ${file.shown} does not exist.`);
  const there = await stat(file.onDisk).catch(() => null);
  if (there?.isDirectory()) throw new Refusal(409, 'ALREADY_EXISTS', `${file.shown} is a directory.`);
  // Missing means true: it replaces.
  if (there && overwrite === 'false')
    throw new Refusal(409, 'ALREADY_EXISTS', `${file.shown} already exists.`);
  const draft = settings.tornUploads
    ? file.onDisk
    : path.join(volume.mount, `.upload-${randomBytes(8).toString('hex')}`);
  try {
    await pipeline(c.env.incoming, createWriteStream(draft));
    if (draft !== file.onDisk) await rename(draft, file.onDisk);
  } catch (cause) {
    if (draft !== file.onDisk) await rm(draft, { force: true });
    throw cause;
  }
  return c.body(null, 204);
}

async function fileAt(file: Place) {
  const found = await stat(file.onDisk).catch(() => null);
  if (!found?.isFile()) throw new Refusal(404, 'NOT_FOUND', `${file.shown} does not exist.`);
  return found;
}

async function folderAt(folder: Place): Promise<void> {
  const found = await stat(folder.onDisk).catch(() => null);
  if (!found?.isDirectory()) throw new Refusal(404, 'NOT_FOUND', `${folder.shown} does not exist.`);
}

/** GET and HEAD, whole or a range (RFC 9110). */
async function getFile(c: Call, file: Place): Promise<Response> {
  const { size, mtime } = await fileAt(file);
  const headers = { 'content-type': 'application/octet-stream', 'last-modified': mtime.toUTCString() };
  const range = rangeOf(c.req.header('range'), size);
  if (range === 'unsatisfiable') {
    return new Response(null, { status: 416, headers: { ...headers, 'content-range': `bytes */${size}` } });
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const init = {
    status: range ? 206 : 200,
    headers: {
      ...headers,
      'content-length': String(end - start + 1),
      ...(range && { 'content-range': `bytes ${start}-${end}/${size}` }),
    } as Record<string, string>,
  };
  if (c.req.method === 'HEAD' || size === 0) return new Response(null, init);
  const bytes = createReadStream(file.onDisk, { start, end });
  return new Response(Readable.toWeb(bytes) as ReadableStream<Uint8Array>, init);
}

function rangeOf(header: string | undefined, size: number) {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  const start = match[1] === '' ? Math.max(0, size - Number(match[2])) : Number(match[1]);
  const end = match[1] === '' || match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1);
  return start > end || start >= size ? ('unsatisfiable' as const) : { start, end };
}

const ListQuery = z.strictObject({
  page_size: z
    .string()
    .regex(/^\d{1,4}$/)
    .transform(Number)
    .pipe(z.number().max(1000))
    .optional(),
  page_token: z.string().optional(),
});

async function listFolder(c: Call, volume: VolumePlace, folder: Place): Promise<Response> {
  const { page_size, page_token } = readQuery(c, ListQuery);
  await folderAt(folder);
  if (c.req.method === 'HEAD') return new Response(null);
  const names = (await readdir(folder.onDisk)).filter((name) => !name.startsWith('.upload-')).sort();
  const after = page_token === undefined ? '' : Buffer.from(page_token, 'base64url').toString();
  const rest = names.filter((name) => name > after);
  const page = rest.slice(0, Math.min(page_size || volume.pageEntries, volume.pageEntries));
  const entries = page.map(async (name) => {
    // Removed while it was being listed.
    const found = await stat(path.join(folder.onDisk, name)).catch(() => null);
    if (!found) return [];
    const isDirectory = found.isDirectory();
    return [
      {
        path: `${folder.shown}/${name}`,
        name,
        is_directory: isDirectory,
        ...(isDirectory ? {} : { file_size: found.size, last_modified: Math.trunc(found.mtimeMs) }),
      },
    ];
  });
  const last = page.at(-1);
  const more = last !== undefined && rest.length > page.length;
  return answer({
    contents: (await Promise.all(entries)).flat(),
    ...(more ? { next_page_token: Buffer.from(last).toString('base64url') } : {}),
  });
}
