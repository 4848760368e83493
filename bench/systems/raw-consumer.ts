import type pg from 'pg';
import { Bell } from '../bell';
import { openRawSession } from './raw-session';
import type { Consumer, Place } from './system';

/** One step of one connection: takes tasks, does them, finishes some. Resolves to how many it took. */
export type RawStep = (client: pg.Client) => Promise<number>;

export interface RawLanes {
  readonly connections: number;
  /** The channel on which new tasks are told. */
  readonly channel: string;
  /** A step for each lane, as a lane may remember what it has under way. */
  readonly newLane: () => RawStep;
}

/** A worker process of hand-written statements: some connections that step, and one that listens. */
export class RawConsumer implements Consumer {
  readonly #bell = new Bell();
  #clients: pg.Client[] = [];
  #lanes: Promise<void>[] = [];
  #stopping = false;

  constructor(
    private readonly place: Place,
    private readonly lanes: RawLanes,
  ) {}

  async start(): Promise<void> {
    const { connections, channel, newLane } = this.lanes;
    const open = () => openRawSession(this.place.databaseUrl);
    const listener = await open();
    listener.on('notification', () => this.#bell.ring());
    await listener.query(`listen ${channel}`);
    const clients = await Promise.all(Array.from({ length: connections }, open));
    this.#clients = [listener, ...clients];
    this.#lanes = clients.map((client) => this.#run(client, newLane()));
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#bell.ring();
    await Promise.all(this.#lanes);
    await Promise.all(this.#clients.map((client) => client.end()));
  }

  async #run(client: pg.Client, step: RawStep): Promise<void> {
    while (!this.#stopping) {
      const heard = this.#bell.listen();
      if ((await step(client)) === 0) await heard();
    }
  }
}
