import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Callback, CallbackEnvelope } from '@/lib/contract/callback';
import { verifyDelivery } from '@/lib/contract/signature';

export interface JobCallback {
  readonly authorization: string | undefined;
  readonly webhookId: string;
  readonly callback: Callback;
  readonly signature: ReturnType<typeof verifyDelivery>;
}

/**
 * What a run in a job meets of its platform, on loopback: the token service, one Model Serving endpoint, and the app
 * behind its proxy, which lets OAuth tokens through and drops the headers of a webhook.
 */
export interface JobPlatform {
  readonly origin: string;
  readonly callbackUrl: string;
  readonly callbacks: JobCallback[];
  readonly modelAuthorizations: (string | undefined)[];
  /** What the model says. */
  modelAnswer: unknown;
  /** How the proxy answers callbacks; `signIn` sends a caller without a token it likes to the login page. */
  app: { status: number; body: unknown } | 'signIn';
  close(): Promise<void>;
}

export const JOB_CLIENT = { id: 'job-client', secret: 'job-client-secret' };

export async function startJobPlatform(key: string): Promise<JobPlatform> {
  const tokens = new Set<string>();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const answer = (status: number, content: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
    };
    const { authorization } = request.headers;
    const isKnown = tokens.has(authorization ?? '');
    if (request.url === '/oidc/v1/token') {
      const basic = `Basic ${Buffer.from(`${JOB_CLIENT.id}:${JOB_CLIENT.secret}`).toString('base64')}`;
      if (authorization !== basic) return answer(401, { error: 'invalid_client' });
      const token = `token-${tokens.size}`;
      tokens.add(`Bearer ${token}`);
      return answer(200, { access_token: token, token_type: 'Bearer', expires_in: 3600 });
    }
    if (request.url === '/serving-endpoints/chat/completions') {
      platform.modelAuthorizations.push(authorization);
      if (!isKnown) return answer(401, { error_code: 'UNAUTHENTICATED', message: 'no' });
      const content = [
        { type: 'reasoning', summary: [] },
        { type: 'text', text: JSON.stringify(platform.modelAnswer) },
      ];
      const usage = { prompt_tokens: 70, completion_tokens: 7 };
      return answer(200, { model: 'stand-in', choices: [{ message: { content } }], usage });
    }
    if (platform.app === 'signIn' || !isKnown) {
      response.writeHead(302, { location: '/login' }).end();
      return;
    }
    const { webhook, payload } = CallbackEnvelope.parse(JSON.parse(body));
    platform.callbacks.push({
      authorization,
      webhookId: webhook.id,
      callback: Callback.parse(JSON.parse(payload)),
      signature: verifyDelivery(key, webhook, payload, true),
    });
    answer(platform.app.status, platform.app.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const platform: JobPlatform = {
    origin,
    callbackUrl: `${origin}/api/v1/callbacks`,
    callbacks: [],
    modelAuthorizations: [],
    modelAnswer: {},
    app: { status: 200, body: { outcome: 'applied', stop: false } },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return platform;
}
