import { parseExactJson } from './exact-json';

/** What a call to a workspace came to when it came to nothing. The message is fit to be read by people. */
export class WorkspaceError extends Error {
  /** HTTP status; null where no whole answer came: whether the call had an effect is unknown then. */
  readonly status: number | null;
  /** Such as `PERMISSION_DENIED`; null where the answer named none. The set is open. */
  readonly errorCode: string | null;
  /** The same call may succeed later. */
  readonly retryable: boolean;
  /** How long the workspace asked us to wait. */
  readonly retryAfterSeconds: number | null;

  /** By its name: Next's bundles each hold a copy of this class, and share one client of a workspace. */
  static override [Symbol.hasInstance](value: unknown): value is WorkspaceError {
    return value instanceof Error && value.name === 'WorkspaceError';
  }

  constructor(message: string, is: WorkspaceErrorParts, options?: ErrorOptions) {
    super(message, options);
    this.name = 'WorkspaceError';
    this.status = is.status;
    this.errorCode = is.errorCode ?? null;
    this.retryable = is.retryable;
    this.retryAfterSeconds = is.retryAfterSeconds ?? null;
  }
}

export interface WorkspaceErrorParts {
  readonly status: number | null;
  readonly errorCode?: string | null;
  readonly retryable: boolean;
  readonly retryAfterSeconds?: number | null;
}

/** What Databricks' own clients try again whatever the status says. */
const PASSING = [
  'RPC token bucket limit has been exceeded',
  'Please try again later',
  'does not have any associated worker environments',
  'There is no worker environment with id',
  'Unknown worker environment',
  'connection reset by peer',
];
const MAX_MESSAGE = 600;

export interface ErrorAnswer {
  readonly status: number;
  /** Value of the header `retry-after`. */
  readonly retryAfter: string | undefined;
  readonly contentType: string | undefined;
  readonly text: string;
}

/**
 * Makes an error of an answer that is not 2xx. Bodies seen in the wild: `{error_code, message, details}`, OAuth's
 * `{error, error_description}`, SCIM's `{detail}`, `CODE: text`, HTML and nothing at all.
 * @param call what was asked, such as `POST /api/2.2/jobs/run-now`
 */
export function errorOfAnswer(call: string, answer: ErrorAnswer): WorkspaceError {
  const { status } = answer;
  if (status >= 300 && status < 400) {
    return new WorkspaceError(
      `${call}: the workspace sent us on to another page (${status}), as it does for sign-in or where only a private link is let in. DATABRICKS_HOST may be wrong, or this network not allowed.`,
      { status, retryable: false },
    );
  }
  const said = readBody(answer);
  const text = said.message ? `: ${said.message.slice(0, MAX_MESSAGE)}` : ' without saying why';
  return new WorkspaceError(`${call}: ${status}${said.code ? ` ${said.code}` : ''}${text}`, {
    status,
    errorCode: said.code,
    retryable:
      status === 408 ||
      status === 429 ||
      status >= 500 ||
      PASSING.some((part) => said.message?.includes(part)),
    retryAfterSeconds: parseRetryAfter(answer.retryAfter) ?? said.retryDelaySeconds,
  });
}

interface Said {
  readonly code: string | null;
  readonly message: string | null;
  readonly retryDelaySeconds: number | null;
}

function readBody({ text, contentType }: ErrorAnswer): Said {
  const nothing = { code: null, message: null, retryDelaySeconds: null };
  if (text.trim() === '') return nothing;
  if (/^\s*</.test(text) || contentType?.includes('html')) return { ...nothing, message: titleOf(text) };
  let body: unknown;
  try {
    body = parseExactJson(text);
  } catch {
    return { ...nothing, ...splitCode(text) };
  }
  if (typeof body === 'string') return { ...nothing, ...splitCode(body) };
  if (typeof body !== 'object' || body === null) return { ...nothing, message: text.trim() };
  const fields = new Map(Object.entries(body));
  const first = (...names: string[]) => {
    const value = names
      .map((name) => fields.get(name))
      .find((field) => field !== undefined && field !== null);
    if (value === undefined) return null;
    return typeof value === 'string' || typeof value === 'number' ? String(value) : writeShort(value);
  };
  const message = first('message', 'error_description', 'errorSummary', 'detail', 'error');
  const code =
    first('error_code', 'errorCode', 'scimType') ?? (fields.has('error_description') ? first('error') : null);
  return { code, message: message ?? text.trim(), retryDelaySeconds: retryDelay(fields.get('details')) };
}

function writeShort(value: unknown): string {
  return JSON.stringify(value).slice(0, MAX_MESSAGE);
}

/** `RESOURCE_DOES_NOT_EXIST: Job 1 does not exist.` */
function splitCode(text: string): Pick<Said, 'code' | 'message'> {
  const parts = /^\s*([A-Z][A-Z0-9_]{2,80}):\s*([\s\S]*)$/.exec(text);
  return parts ? { code: parts[1] ?? null, message: parts[2] ?? '' } : { code: null, message: text.trim() };
}

function titleOf(html: string): string {
  const inner =
    /<pre[^>]*>([\s\S]*?)<\/pre>/i.exec(html)?.[1] ?? /<title[^>]*>([\s\S]*?)<\/title>/i.exec(html)?.[1];
  const text = (inner ?? html).replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  return text.trim() || 'a page without text';
}

/** `google.rpc.RetryInfo` among the details: a duration such as `3s` or `0.5s`. */
function retryDelay(details: unknown): number | null {
  if (!Array.isArray(details)) return null;
  for (const detail of details as unknown[]) {
    if (typeof detail !== 'object' || detail === null || !('retryDelay' in detail)) continue;
    const seconds = /^(\d+(?:\.\d+)?)s$/.exec(String(detail.retryDelay))?.[1];
    if (seconds) return Number(seconds);
  }
  return null;
}

/** Seconds from now; both forms of RFC 9110 §10.2.3. */
export function parseRetryAfter(value: string | undefined, now = Date.now()): number | null {
  if (value === undefined) return null;
  if (/^\d+(\.\d+)?$/.test(value.trim())) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, (at - now) / 1000);
}
