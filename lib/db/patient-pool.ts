import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { errorCode, isConnectionLoss } from './connection-loss';

/** How long whoever wants a connection waits for a server that sleeps, restarts or moves. */
const PATIENCE_MS = 30_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
const MOST_REFUSALS = 2;

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: () => void,
) => void;

export interface Patience {
  readonly onRefused: ((password: string) => void) | undefined;
  /** Got before a connection is opened: one that waits for it meanwhile would keep its socket when it can't be got. */
  readonly password?: () => Promise<string>;
  readonly forMs?: number;
}

/**
 * A pool on a server that comes and goes: connecting, at which nothing has been sent yet, is tried again with growing
 * pauses and jitter, so that a whole fleet does not come back at one moment. A refused password is replaced a few
 * times and then told to whoever asked: more tries would not mend it.
 */
export class PatientPool extends pg.Pool {
  constructor(
    config: pg.PoolConfig,
    private readonly patience: Patience,
  ) {
    super({ ...config, Client: reportingClient(patience.onRefused) });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    const connecting = this.#connect();
    if (!callback) return connecting;
    connecting.then(
      (client) => callback(undefined, client, () => client.release()),
      (error: Error) => callback(error, undefined, () => {}),
    );
    return undefined;
  }

  async #connect(): Promise<pg.PoolClient> {
    const deadline = performance.now() + (this.patience.forMs ?? PATIENCE_MS);
    for (let tries = 0, refusals = 0; ; tries += 1) {
      try {
        // Open connections are of use also while no password can be got.
        if (this.idleCount === 0) await this.patience.password?.();
        return await super.connect();
      } catch (error) {
        if (isRefusal(error)) refusals += 1;
        const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries) * (0.5 + Math.random());
        const isWorthIt = isRefusal(error) ? refusals <= MOST_REFUSALS : mayPass(error);
        if (this.ending || !isWorthIt || performance.now() + pause > deadline) throw error;
        await delay(pause);
      }
    }
  }
}

/** A client that tells which password was refused: several may be in use around the time one expires. */
function reportingClient(onRefused: Patience['onRefused']): typeof pg.Client {
  return class extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      const report = (error: unknown) => {
        if (isRefusal(error) && typeof this.password === 'string') onRefused?.(this.password);
      };
      if (callback) {
        super.connect((error: Error) => {
          report(error);
          callback(error);
        });
        return undefined;
      }
      return super.connect().catch((error) => {
        report(error);
        throw error;
      });
    }
  } as typeof pg.Client;
}

/** SQLSTATE class 28: the server knows this login not, or not with this password. */
export function isRefusal(error: unknown): boolean {
  return errorCode(error)?.startsWith('28') ?? false;
}

/** The server is away or full, or its name is not known just now. */
function mayPass(error: unknown): boolean {
  const code = errorCode(error) ?? '';
  return isConnectionLoss(error) || ['53300', 'ENOTFOUND', 'EAI_AGAIN'].includes(code);
}
