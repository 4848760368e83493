import type { Run } from './runs';

/**
 * Rows of `system.billing.usage` and `system.billing.list_prices` for the runs of the workspace
 * [https://docs.databricks.com/aws/en/admin/system-tables/billing, …/pricing.md]: hourly slices that come late, corrections that are
 * appended, a price in two currencies with a change in the middle.
 */
export interface UsageRow {
  readonly workspaceId: string;
  readonly jobRunId: string;
  readonly skuName: string;
  readonly cloud: 'AWS';
  readonly usageUnit: 'DBU';
  readonly product: 'JOBS';
  readonly usageStart: number;
  readonly usageEnd: number;
  /** Decimal text. */
  readonly quantity: string;
  readonly recordType: 'ORIGINAL' | 'RETRACTION' | 'RESTATEMENT';
}

export interface PriceRow {
  readonly skuName: string;
  readonly cloud: 'AWS';
  readonly usageUnit: 'DBU';
  readonly currency: string;
  /** `pricing.effective_list.default`, decimal text. */
  readonly price: string;
  readonly from: number;
  readonly to: number | null;
}

export const SKU = 'PREMIUM_JOBS_SERVERLESS_COMPUTE_US_EAST_N_VIRGINIA';
const HOUR_MS = 3_600_000;
/** What a second of a run uses, so small that money needs many digits. */
const DBU_PER_SECOND = 0.000763;

export function usageRows(runs: readonly Run[], workspaceId: string, until: number): UsageRow[] {
  return runs
    .filter((run) => run.begunAt > 0 && run.endTime > 0 && run.endTime <= until)
    .flatMap((run) => {
      const slices: UsageRow[] = [];
      for (let start = run.begunAt; start < run.endTime || slices.length === 0; start = hourAfter(start)) {
        const end = Math.min(hourAfter(start), Math.max(run.endTime, start + 1));
        slices.push(slice(run, workspaceId, start, end));
      }
      // Every third run is corrected: taken back whole, then stated anew.
      if (run.id % 3n !== 0n) return slices;
      const retracted = slices.map((row) => ({
        ...row,
        recordType: 'RETRACTION' as const,
        quantity: `-${row.quantity}`,
      }));
      const restated = slices.map((row) => ({
        ...row,
        recordType: 'RESTATEMENT' as const,
        quantity: '0.25',
      }));
      return [...slices, ...retracted, ...restated];
    });
}

const hourAfter = (time: number) => (Math.floor(time / HOUR_MS) + 1) * HOUR_MS;

function slice(run: Run, workspaceId: string, start: number, end: number): UsageRow {
  return {
    workspaceId,
    jobRunId: String(run.id),
    skuName: SKU,
    cloud: 'AWS',
    usageUnit: 'DBU',
    product: 'JOBS',
    usageStart: start,
    usageEnd: end,
    quantity: (((end - start) / 1000) * DBU_PER_SECOND).toFixed(12),
    recordType: 'ORIGINAL',
  };
}

export const PRICES: readonly PriceRow[] = [
  {
    skuName: SKU,
    cloud: 'AWS',
    usageUnit: 'DBU',
    currency: 'USD',
    price: '0.35',
    from: 0,
    to: Date.UTC(2025, 0, 1),
  },
  {
    skuName: SKU,
    cloud: 'AWS',
    usageUnit: 'DBU',
    currency: 'USD',
    price: '0.45',
    from: Date.UTC(2025, 0, 1),
    to: null,
  },
  { skuName: SKU, cloud: 'AWS', usageUnit: 'DBU', currency: 'EUR', price: '0.41', from: 0, to: null },
];
