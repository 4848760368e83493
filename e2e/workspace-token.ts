import { z } from 'zod';
import { createCaller } from './workspace/caller';

const Workspace = z.object({ host: z.string(), clientId: z.string(), clientSecret: z.string() });

/** The header of a machine that the workspace of this run knows: the service principal that runs act as. */
export async function machineToken(): Promise<string> {
  return createCaller(Workspace.parse(JSON.parse(process.env.TICKMARK_E2E_WORKSPACE ?? 'null'))).bearer();
}
