import { PRICES, type UsageRow, usageRows } from './billing-rows';
import type { Run } from './runs';
import type { RunStatement } from './statements';

/** Answers the billing statement of the product from the runs that there were. Any other statement fails. */
export interface BillingSettings {
  /** Age at which the use of a run shows; hours on the platform. */
  billingLagMs: number;
}

export interface BillingDeps {
  readonly runs: ReadonlyMap<bigint, Run>;
  readonly workspaceId: string;
  readonly settings: BillingSettings;
  readonly now: () => number;
}

export function answerBilling({ runs, workspaceId, settings, now }: BillingDeps): RunStatement {
  return (statement) => {
    const rows: UsageRow[] = usageRows([...runs.values()], workspaceId, now() - settings.billingLagMs);
    throw new Error(
      `[PARSE_SYNTAX_ERROR] the stand-in does not know this statement (${statement.length} characters, ${rows.length} rows, ${PRICES.length} prices).`,
    );
  };
}
