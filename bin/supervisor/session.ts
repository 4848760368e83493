import path from 'node:path';
import type { Config } from '@/lib/config/schema';
import { loadSecrets } from '@/lib/config/secrets';
import { currentApp, markInUse } from '../build-app.mjs';
import { root } from '../root.mjs';
import { Child, type ChildSpec } from './child';
import { ChildLog } from './child-log';
import { type Database, openDatabase } from './database';
import { watchSources } from './dev-watch';
import { writeInstance } from './instance';
import { freePort } from './ports';
import { prepareDatabase } from './prepare-database';
import { devApp, rulesModel, type Surroundings, webApp, worker } from './processes';
import { withPublicUrl } from './public-url';
import { waitUntilReady } from './readiness';
import { StartError } from './start-error';

const READY_WITHIN_MS = 180_000;
const ENDS_BEFORE_READY = 4;
/** All of a stop fits into 10 s: the worker needs most, it stops the runs; PostgreSQL goes last and gets the rest. */
const GRACE_MS = { worker: 6500, app: 1000, model: 200, postgres: 1500 };

/** All that one `npm start` runs, from its first process to its last. */
export class Session {
  stopping = false;
  #database: Database | undefined;
  readonly #children = new Map<keyof typeof GRACE_MS, Child>();
  readonly #logs = new Map<string, ChildLog>();
  #ends = 0;
  #lastEnd = '';
  #ready = false;
  #stopWatching: (() => Promise<void>) | undefined;

  constructor(
    private config: Config,
    private readonly dev: boolean,
    private readonly say: (line: string) => void,
  ) {}

  /** Starts everything in order and resolves when the app says that it is ready. */
  async start(): Promise<void> {
    await this.#note('starting', null);
    this.config = await withPublicUrl(this.config);
    this.#database = await openDatabase(this.config, this.say);
    this.#continue();
    await this.#note('starting', this.#database.address.url);
    const secrets = await loadSecrets(this.config);
    await prepareDatabase(this.config, this.#database.address, path.join(root, 'drizzle'));
    this.#continue();
    const around: Surroundings = {
      config: this.config,
      secrets,
      database: this.#database.address,
      dist: path.join(root, 'dist'),
      modelPort: this.config.model ? null : await freePort(),
    };
    if (around.modelPort !== null) this.#run('model', rulesModel(around));
    this.#run('worker', worker(around));
    this.#run('app', this.#appSpec(around));
    if (this.dev) this.#stopWatching = await watchSources(this.say, () => this.#reload());
    await waitUntilReady(this.config, this.#giveUpLater());
    this.#ready = true;
    await this.#note('ready', this.#database.address.url);
    process.stdout.write(`Tickmark is ready: ${this.config.url}\n`);
  }

  /** Ends everything in order; resolves when all processes are gone. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.#note('stopping', null).catch(() => {});
    await this.#stopWatching?.();
    const stopOne = (name: keyof typeof GRACE_MS, message?: object) =>
      this.#children.get(name)?.stop(GRACE_MS[name], message);
    await stopOne('worker', { type: 'shutdown', stopRuns: true });
    await stopOne('app');
    await stopOne('model');
    await this.#database?.stop(GRACE_MS.postgres);
  }

  /** Ends everything at once. */
  kill(): void {
    this.stopping = true;
    for (const child of this.#children.values()) child.kill();
    this.#database?.kill();
  }

  #appSpec(around: Surroundings): ChildSpec {
    if (this.dev) return devApp(around, root);
    const folder = currentApp();
    if (!folder) throw new StartError('the app is not built: run npm run build');
    markInUse(folder);
    return webApp(around, folder);
  }

  #run(name: keyof typeof GRACE_MS, spec: ChildSpec): void {
    const file = path.join(this.config.home, 'logs', `${name}.log`);
    const everything = this.config.platform === 'databricks' || (this.dev && name === 'app');
    const log = new ChildLog(name, file, (line) => this.#tell(line), everything);
    const child = new Child(spec, log, (how, restartMs) => {
      this.#ends += 1;
      this.#lastEnd = `${name} ended (${how})\n${log.tail()}`;
      this.say(`${name} ended unasked (${how}); it starts again in ${restartMs} ms (see ${file})`);
    });
    this.#logs.set(name, log);
    this.#children.set(name, child);
    child.start();
  }

  /** What a process complains about while all are being stopped is no news. */
  #tell(line: string): void {
    if (!this.stopping) this.say(line);
  }

  async #reload(): Promise<void> {
    if (this.stopping) return;
    await this.#children.get('worker')?.restart(GRACE_MS.worker);
    await this.#children.get('model')?.restart(GRACE_MS.model);
  }

  /** A signal that came while something started: `stop` ends what there is, this keeps more from coming. */
  #continue(): void {
    if (this.stopping) throw new StartError('stopped while starting');
  }

  #giveUpLater(): (lastAnswer: string) => void {
    const deadline = Date.now() + READY_WITHIN_MS;
    return (lastAnswer) => {
      this.#continue();
      if (!this.#ready && this.#ends >= ENDS_BEFORE_READY) {
        throw new StartError(`Tickmark does not start: ${this.#lastEnd}`);
      }
      if (Date.now() > deadline) {
        throw new StartError(
          `Tickmark is not ready after ${READY_WITHIN_MS / 1000} s; /readyz says: ${lastAnswer}`,
        );
      }
    };
  }

  async #note(state: 'starting' | 'ready' | 'stopping', databaseUrl: string | null): Promise<void> {
    await writeInstance(this.config.home, {
      url: this.config.url,
      state,
      startedAt: STARTED_AT,
      databaseUrl,
    });
  }
}

const STARTED_AT = new Date().toISOString();
