import { z } from 'zod';
import type { Config } from '@/lib/config/schema';
import { workspaceOf } from '@/lib/databricks/workspace-of';
import { createLogger } from '@/lib/log';
import { EXIT, StartError } from './start-error';

const App = z.object({ url: z.string().url() });

/**
 * These settings with the public address of the app, which runs call back to. Databricks gives it to no variable, so
 * the workspace is asked where TICKMARK_URL is not set. Throws `StartError`.
 */
export async function withPublicUrl(config: Config, given = process.env.TICKMARK_URL): Promise<Config> {
  const name = config.databricks?.appName;
  if (!config.databricks || !name || given) return config;
  const workspace = workspaceOf(config.databricks, createLogger('start', config.logLevel));
  try {
    const path = `/api/2.0/apps/${encodeURIComponent(name)}`;
    const { url } = App.parse(await workspace.json({ method: 'GET', path, idempotent: true }));
    return { ...config, url: new URL(url).origin };
  } catch (cause) {
    throw new StartError(
      `TICKMARK_URL: the workspace does not tell the address of the app ${name} (${(cause as Error).message}); set it in app.yaml`,
      EXIT.wrongSetting,
      { cause },
    );
  }
}
