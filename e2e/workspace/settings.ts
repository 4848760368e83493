import type { AppProxySettings } from './app-proxy';
import type { BillingSettings } from './billing-statement';
import type { FilesSettings } from './files';
import type { JobsSettings } from './jobs';
import type { CredentialSettings } from './lakebase-credentials';
import type { OAuthSettings } from './oauth';
import type { ServingSettings } from './serving';
import type { WarehouseSettings } from './statements';

/** What may be changed while the workspace runs. */
export type Settings = OAuthSettings &
  JobsSettings &
  CredentialSettings &
  ServingSettings &
  WarehouseSettings &
  BillingSettings &
  FilesSettings;

/** As the platform is, where a test does not wait for it. */
export function platformSettings(): Settings {
  return {
    tokenSeconds: 3600,
    databaseTokenSeconds: 3600,
    unknownRunStatus: 400,
    tornUploads: false,
    endpoint: 'databricks-claude-stand-in',
    contentAsBlocks: false,
    limits: { tokensPerMinute: null, requestsPerMinute: null },
    warehouseStartMs: 0,
    chunkRows: 50,
    billingLagMs: 0,
  };
}

export const PROXY_SETTINGS: Omit<AppProxySettings, 'port' | 'appPort'> = {
  requestMs: 120_000,
  streamMs: 301_500,
  bufferMs: 0,
  dropUnknownHeaders: false,
  refuseMachines: false,
};
