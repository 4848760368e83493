import { z } from 'zod';

const Answer = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive().catch(3600),
});

const TIMEOUT_MS = 15_000;
/** Asked for anew when less than this part of its life is left. */
const LEFT_SHARE = 0.25;

/**
 * OAuth tokens in exchange for the token that the platform gave the run, as the Python SDK's `runtime-oauth` gets them
 * (`databricks/sdk/oauth.py`, RFC 8693). Databricks Apps take OAuth tokens only. Not confirmed by a real workspace.
 * @param origin of the workspace
 */
export function createTokenExchange(origin: string, ownToken: string): () => Promise<string> {
  let held: { readonly token: string; readonly until: number } | null = null;
  return async () => {
    if (held && Date.now() < held.until) return held.token;
    const askedAt = Date.now();
    const response = await fetch(`${origin}/oidc/v1/token`, {
      method: 'POST',
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: ownToken,
        subject_token_type: 'urn:databricks:params:oauth:token-type:personal-access-token',
        requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        scope: 'all-apis',
      }),
    });
    if (!response.ok) throw new Error(`the workspace exchanged no token (${response.status})`);
    const answer = Answer.safeParse(await response.json());
    // Without its cause, which would quote the answer.
    if (!answer.success) throw new Error('the answer to the exchange holds no token');
    const { access_token: token, expires_in: seconds } = answer.data;
    held = { token, until: askedAt + seconds * 1000 * (1 - LEFT_SHARE) };
    return token;
  };
}
