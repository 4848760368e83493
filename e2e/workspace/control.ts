import { z } from 'zod';
import type { AppProxy } from './app-proxy';
import { Fault, type Faults } from './faults';
import type { Identities } from './identities';
import type { Lakebase } from './lakebase';
import type { DatabaseTokens } from './lakebase-credentials';
import type { Settings } from './settings';

/** What a test in another process than the workspace's changes about it: `POST /__workspace`. */
export const Order = z.strictObject({
  clearFaults: z.boolean().optional(),
  faults: z.array(Fault).optional(),
  settings: z
    .strictObject({
      tokenSeconds: z.number(),
      databaseTokenSeconds: z.number(),
      tornUploads: z.boolean(),
      contentAsBlocks: z.boolean(),
      warehouseStartMs: z.number(),
      billingLagMs: z.number(),
    })
    .partial()
    .optional(),
  proxy: z
    .strictObject({
      requestMs: z.number(),
      streamMs: z.number(),
      bufferMs: z.number(),
      dropUnknownHeaders: z.boolean(),
      refuseMachines: z.boolean(),
    })
    .partial()
    .optional(),
  /** All tokens of the workspace and all passwords of the database end now. */
  revokeTokens: z.boolean().optional(),
  /** All sessions at the database are cut, as by a failover. */
  cutDatabase: z.boolean().optional(),
});
export type Order = z.infer<typeof Order>;

export interface Controlled {
  readonly faults: Faults;
  readonly settings: Settings;
  readonly identities: Identities;
  readonly databaseTokens: DatabaseTokens;
  readonly proxy: AppProxy | null;
  readonly lakebase: Lakebase | null;
}

/** What a test can see of it: counts since the start. */
export interface Seen {
  readonly refusedMachines: number;
  readonly databaseTokens: number;
  readonly databaseRefusals: number;
  readonly runs: number;
  /** Most commands that one run began; more than 1 is a run that was started twice. */
  readonly mostBegun: number;
}

export function obey(order: Order, workspace: Controlled): void {
  if (order.clearFaults) workspace.faults.clear();
  for (const fault of order.faults ?? []) workspace.faults.add(fault);
  Object.assign(workspace.settings, order.settings);
  if (workspace.proxy) Object.assign(workspace.proxy.settings, order.proxy);
  if (order.revokeTokens) {
    workspace.identities.revoke();
    workspace.databaseTokens.revoke();
  }
  if (order.cutDatabase) workspace.lakebase?.cut();
}
