import Big from 'big.js';
import { z } from 'zod';
import { BILLING_STATEMENT } from '@/lib/platform/billing-source/billing-statement';
import { PRICES, type UsageRow, usageRows } from './billing-rows';
import type { Run } from './runs';
import type { Result } from './statement-results';
import type { RunStatement } from './statements';

/**
 * Answers the billing statement of the product from the runs that there were, as the warehouse would; that its SQL means
 * this is shown by billing-statement.int.test.ts beside it. Any other statement fails.
 */
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

const Asked = z.object({
  run_ids: z.string().transform((text) => z.array(z.string()).parse(JSON.parse(text))),
  from_date: z.iso.date(),
  workspace_id: z.string(),
});

const COLUMNS = [
  { name: 'run_id', type: 'STRING' },
  { name: 'unit_price', type: 'STRING' },
  { name: 'quantity', type: 'STRING' },
  { name: 'billed_through', type: 'STRING' },
];

export function answerBilling({ runs, workspaceId, settings, now }: BillingDeps): RunStatement {
  return (statement, parameters) => {
    if (statement !== BILLING_STATEMENT) {
      throw new Error('[PARSE_SYNTAX_ERROR] the stand-in does not know this statement.');
    }
    const asked = Asked.parse(Object.fromEntries(parameters));
    const wanted = new Set(asked.run_ids);
    const used = usageRows([...runs.values()], workspaceId, now() - settings.billingLagMs).filter(
      (row) =>
        wanted.has(row.jobRunId) &&
        row.workspaceId === asked.workspace_id &&
        new Date(row.usageStart).toISOString() >= asked.from_date,
    );
    return { columns: COLUMNS, rows: groupByPrice(used) };
  };
}

function groupByPrice(used: readonly UsageRow[]): Result['rows'] {
  const groups = new Map<
    string,
    { readonly first: UsageRow; price: string | null; sum: Big; through: number }
  >();
  for (const row of used) {
    const price = priceOf(row);
    const key = `${row.jobRunId} ${price}`;
    const group = groups.get(key) ?? { first: row, price, sum: new Big(0), through: 0 };
    group.sum = group.sum.plus(row.quantity);
    group.through = Math.max(group.through, row.usageEnd);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ first, price, sum, through }) => [
    first.jobRunId,
    price,
    sum.toFixed(18),
    `${new Date(through).toISOString().slice(0, 19)}Z`,
  ]);
}

function priceOf(row: UsageRow): string | null {
  const found = PRICES.find(
    (price) =>
      price.skuName === row.skuName &&
      price.cloud === row.cloud &&
      price.usageUnit === row.usageUnit &&
      price.currency === 'USD' &&
      row.usageEnd >= price.from &&
      (price.to === null || row.usageEnd < price.to),
  );
  return found?.price ?? null;
}
