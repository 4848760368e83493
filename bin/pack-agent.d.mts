/**
 * Packs the agent of a job.
 * @param target folder for the parts; default: `dist/` of the checkout
 * @returns the parts' paths
 */
export function packAgent(target?: string): Promise<string[]>;
