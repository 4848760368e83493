import { callbacksDelayed, callbacksDuplicated, callbacksLost, callbacksReordered } from './callbacks';
import { poisonDocument, urgentBehindCrowd } from './crowd';
import { postgresRestarted, sessionsTerminated } from './database-lost';
import { deploy } from './deploy';
import type { Drill } from './drill';
import { failureThenSuccess, successThenFailure } from './late-ends';
import { longSnapshot } from './long-snapshot';
import { providerAway, providerQuota, runnerUnavailable } from './outages';
import { replicaFrozen, submittedTwice } from './replica-frozen';
import { listenerCut, streamCut } from './silent-listener';
import { workerKilled } from './worker-killed';
import { workersAway } from './workers-away';
import { wrongClock } from './wrong-clock';

/** All drills, in the order in which they are run. */
export const DRILLS: readonly Drill[] = [
  ...workerKilled,
  replicaFrozen,
  postgresRestarted,
  sessionsTerminated,
  listenerCut,
  workersAway,
  callbacksDelayed,
  callbacksDuplicated,
  callbacksReordered,
  callbacksLost,
  successThenFailure,
  failureThenSuccess,
  submittedTwice,
  streamCut,
  providerQuota,
  providerAway,
  runnerUnavailable,
  urgentBehindCrowd,
  poisonDocument,
  deploy,
  longSnapshot,
  wrongClock,
];
