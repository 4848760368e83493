import type { Db } from '@/lib/db/client';
import { calibrate } from '@/lib/documents/calibrate';
import type { Logger } from '@/lib/log';
import { advanceClaimCursors } from '@/lib/queue/claim-cursors';
import { tuneAgents } from '@/lib/queue/tune-agents';
import type { Pace } from './loop';

/** Raises limits that a 429 had lowered, and notes which agents have drained. */
export async function tuneOnce(db: Db, log: Logger): Promise<Pace> {
  const report = await tuneAgents(db);
  if (report.raised > 0 || report.drained > 0) log.info(report, 'agents.tuned');
  return 'idle';
}

/** Learns from finished attempts what documents take. */
export async function calibrateOnce(db: Db, log: Logger): Promise<Pace> {
  const agents = await calibrate(db);
  if (agents.length > 0) log.info({ agents }, 'estimates.learnt');
  return 'idle';
}

/** Leads the claim past what has been claimed. */
export async function advanceOnce(db: Db, log: Logger): Promise<Pace> {
  const moved = await advanceClaimCursors(db);
  if (moved > 0) log.info({ moved }, 'cursors.advanced');
  return 'idle';
}
