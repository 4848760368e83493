import { HostMessage, type TokenPurpose } from '@/lib/contract/child-messages';
import { RunFailure } from './run-failure';

/** A host that does not answer is gone, and then this process is ended anyway. */
const PATIENCE_MS = 30_000;

/**
 * Asks the host for a token: the host alone holds what gets one, so that a document that takes over this process finds a
 * token that ends within the hour and nothing else. Null when none can be had.
 */
async function askHost(purpose: TokenPurpose): Promise<string | null> {
  return new Promise<string | null>((resolve) => {
    const settle = (answer: string | null) => {
      clearTimeout(timer);
      process.off('message', take);
      resolve(answer);
    };
    const take = (raw: unknown) => {
      const message = HostMessage.safeParse(raw);
      if (message.success && message.data.purpose === purpose) settle(message.data.token);
    };
    const timer = setTimeout(() => settle(null), PATIENCE_MS);
    process.on('message', take);
    if (process.send) process.send({ kind: 'token_wanted', purpose });
    else settle(null);
  });
}

/**
 * A token for the model, good for at least one call.
 * @throws RunFailure `model_unavailable`
 */
export async function askHostForToken(): Promise<string> {
  const token = await askHost('model');
  if (token !== null) return token;
  throw new RunFailure(
    'model_unavailable',
    'The run got no token for the model. The log of the run says why; see docs/deploy-databricks.md, “The job’s identity”.',
  );
}

/** The header with which a trace is sent on Databricks; without a token none, and then the refusal is told. */
export async function traceAuthorisation(): Promise<Record<string, string>> {
  const token = await askHost('traces');
  return token === null ? {} : { authorization: `Bearer ${token}` };
}
