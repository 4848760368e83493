import { z } from 'zod';
import type { Logger } from '@/lib/log';
import type { CallClock } from './call-clock';
import { parseExactJson } from './exact-json';
import { readText, requireSuccess, type Send, type Sending } from './send';
import { tryAgain } from './try-again';
import { WorkspaceError } from './workspace-error';

export interface AccessTokenOptions {
  readonly origin: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly send: Send;
  readonly clock: CallClock;
  readonly log: Pick<Logger, 'warn'>;
}

export interface AccessTokens {
  /** A token with enough time left for a call. Throws {@link WorkspaceError}. */
  current(): Promise<string>;
  /** The workspace refused this one: it is not given again. */
  drop(token: string): void;
}

const TokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive().catch(3600),
});

interface Token {
  readonly value: string;
  /** From here on a new one is fetched beside the work. */
  readonly renewAt: number;
  /** From here on it is not used any more. */
  readonly overAt: number;
}

const TIMEOUT_MS = 15_000;
const RETRY_FOR_MS = 20_000;
/** As Databricks' Python client: from half of the lifetime on, but not more than 20 minutes before the end. */
const RENEW_BEFORE_END_MS = 20 * 60_000;
/** Some clouds refuse a token in its last half minute. For one that lives for seconds only: a fifth of its life. */
const UNUSED_END_MS = 40_000;
const UNUSED_SHARE = 0.2;
const RENEWAL_PAUSE_MS = 5_000;

/**
 * Tokens of a service principal: OAuth client credentials, `POST /oidc/v1/token` with scope `all-apis`. One request at a
 * time, whoever waits for it; renewed beside the work, so that a token service that fails for minutes is not noticed.
 */
export function createAccessTokens(options: AccessTokenOptions): AccessTokens {
  const { clock, log } = options;
  let token: Token | null = null;
  let fetching: Promise<Token> | null = null;
  let renewNotBefore = 0;

  const fetchOnce = () => {
    fetching ??= fetchToken(options)
      .then((fetched) => {
        token = fetched;
        return fetched;
      })
      .finally(() => {
        fetching = null;
      });
    return fetching;
  };
  const renewBesideWork = () => {
    if (fetching || clock.now() < renewNotBefore) return;
    fetchOnce().catch((err: unknown) => {
      renewNotBefore = clock.now() + RENEWAL_PAUSE_MS;
      log.warn({ err }, 'databricks.token_not_renewed');
    });
  };

  return {
    async current() {
      if (!token || clock.now() >= token.overAt) return (await fetchOnce()).value;
      if (clock.now() >= token.renewAt) renewBesideWork();
      return token.value;
    },
    drop(refused) {
      if (token?.value === refused) token = null;
    },
  };
}

async function fetchToken({
  origin,
  clientId,
  clientSecret,
  send,
  clock,
}: AccessTokenOptions): Promise<Token> {
  const sending: Sending = {
    origin,
    method: 'POST',
    target: '/oidc/v1/token',
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'all-apis' }).toString(),
    timeoutMs: TIMEOUT_MS,
  };
  // A second request gives a second token and does no harm.
  return tryAgain(
    async () => {
      const askedAt = clock.now();
      const answer = await send(sending);
      await requireSuccess(sending, answer).catch(explainRefusal);
      const { access_token, expires_in } = parseAnswer(await readText(sending, answer));
      return lifeOf(access_token, askedAt, expires_in * 1000);
    },
    { clock, idempotent: true, forMs: RETRY_FOR_MS },
  );
}

function lifeOf(value: string, from: number, lifeMs: number): Token {
  return {
    value,
    renewAt: from + Math.max(lifeMs / 2, lifeMs - RENEW_BEFORE_END_MS),
    overAt: from + lifeMs - Math.min(UNUSED_END_MS, lifeMs * UNUSED_SHARE),
  };
}

function explainRefusal(error: unknown): never {
  if (!(error instanceof WorkspaceError) || error.retryable) throw error;
  throw new WorkspaceError(
    `The workspace gives this application no token. DATABRICKS_CLIENT_ID and DATABRICKS_CLIENT_SECRET must be those of a service principal of this workspace (not of Entra), and the secret must not have expired. ${error.message}`,
    error,
    { cause: error },
  );
}

function parseAnswer(text: string): z.output<typeof TokenAnswer> {
  try {
    return TokenAnswer.parse(parseExactJson(text));
  } catch {
    // Without its cause: that would quote the answer, and a token may be in it.
    throw new WorkspaceError('POST /oidc/v1/token: the answer holds no token that we can read', {
      status: 200,
      retryable: true,
    });
  }
}
