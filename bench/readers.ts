import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { now } from './clock';

/** Opened at the same time; a server's queue of connections to accept is finite. */
const AT_ONCE = 100;
const CHANGE = Buffer.from('event: change');

/** Many readers of one event stream, on sockets alone, so that measuring costs little. */
export class Readers {
  readonly #sockets: Socket[] = [];
  #arrivals: number[] = [];
  #all: (() => void) | null = null;
  #lost = 0;

  /** Opens so many, each until its first bytes have come. */
  async open(url: string, wanted: number, headers: Readonly<Record<string, string>>): Promise<void> {
    const { hostname, port, host, pathname } = new URL(url);
    const lines = Object.entries({ host, accept: 'text/event-stream', ...headers });
    const request = `GET ${pathname} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
    for (let opened = 0; opened < wanted; opened += AT_ONCE) {
      const wave = Array.from({ length: Math.min(AT_ONCE, wanted - opened) }, async () => {
        const socket = connect(Number(port), hostname);
        this.#sockets.push(socket);
        socket.write(request);
        const [head] = (await once(socket, 'data')) as [Buffer];
        if (!head.includes('200 OK')) throw new Error(`a reader got ${head.subarray(0, 80)}`);
        socket.on('data', (chunk: Buffer) => this.#hear(chunk));
        socket.on('close', () => {
          this.#lost += 1;
        });
      });
      await Promise.all(wave);
    }
  }

  get count(): number {
    return this.#sockets.length - this.#lost;
  }

  /**
   * When each of them hears of a change, in ms after `commit` said that it sends it; throws when some never do.
   * @param commit calls what it is given right before the commit is sent
   */
  async afterCommit(
    commit: (sending: () => void) => Promise<unknown>,
    patienceMs: number,
  ): Promise<number[]> {
    this.#arrivals = [];
    const all = new Promise<void>((resolve) => {
      this.#all = resolve;
    });
    let at = now();
    await commit(() => {
      at = now();
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`${this.#arrivals.length} of ${this.count} readers heard of a change`)),
        patienceMs,
      );
    });
    await Promise.race([all, late]).finally(() => clearTimeout(timer));
    return this.#arrivals.map((arrival) => arrival - at);
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #hear(chunk: Buffer): void {
    if (!chunk.includes(CHANGE)) return;
    this.#arrivals.push(now());
    if (this.#arrivals.length === this.count) this.#all?.();
  }
}
