import { estimateComputeCost } from './estimate';
import type { BillingSource } from './port';

/** An estimate: run time × a set price. @param usdPerHour US dollars as a decimal string */
export function createEstimatingSource(usdPerHour: string): BillingSource {
  return {
    name: 'estimate',
    costOf: async ({ runSeconds }) => ({ usd: estimateComputeCost(runSeconds, usdPerHour), note: null }),
  };
}
