import { HostMessage } from '@/lib/contract/child-messages';
import { RunFailure } from './run-failure';

/** A host that does not answer is gone, and then this process is ended anyway. */
const PATIENCE_MS = 30_000;

/**
 * Asks the host for a token for the model: the host alone holds what gets one, so that a document that takes over this
 * process finds a token that ends within the hour and nothing else.
 * @throws RunFailure `model_unavailable`
 */
export async function askHostForToken(): Promise<string> {
  const token = await new Promise<string | null>((resolve) => {
    const settle = (answer: string | null) => {
      clearTimeout(timer);
      process.off('message', take);
      resolve(answer);
    };
    const take = (raw: unknown) => {
      const message = HostMessage.safeParse(raw);
      if (message.success) settle(message.data.token);
    };
    const timer = setTimeout(() => settle(null), PATIENCE_MS);
    process.on('message', take);
    if (process.send) process.send({ kind: 'token_wanted' });
    else settle(null);
  });
  if (token !== null) return token;
  throw new RunFailure(
    'model_unavailable',
    'The run got no token for the model. The log of the run says why; see docs/deploy-databricks.md, “The job’s identity”.',
  );
}
