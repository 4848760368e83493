import type { Socket } from 'node:net';

// The part of PostgreSQL's protocol that a login is made of (postgresql.org/docs/current/protocol-message-formats.html).

export interface Frame {
  /** One letter; empty for the first message of a client, which has no type. */
  readonly type: string;
  readonly body: Buffer;
}

/** Reads one message after the other from a socket; what it has not used, {@link FrameReader.rest} gives back. */
export class FrameReader {
  #buffer: Buffer = Buffer.alloc(0);
  #wake: (() => void) | undefined;
  #over = false;
  readonly #onData = (chunk: Buffer) => {
    this.#buffer = Buffer.concat([this.#buffer, chunk]);
    this.#wake?.();
  };
  readonly #onClose = () => {
    this.#over = true;
    this.#wake?.();
  };

  constructor(private readonly socket: Socket) {
    socket.on('data', this.#onData).on('close', this.#onClose);
  }

  /** @param typed false for the first message of a client. Throws when the socket closes before. */
  async read(typed = true): Promise<Frame> {
    const head = typed ? 1 : 0;
    await this.#until(head + 4);
    const length = this.#buffer.readInt32BE(head);
    await this.#until(head + length);
    const frame = {
      type: typed ? String.fromCharCode(this.#buffer[0] ?? 0) : '',
      body: this.#buffer.subarray(head + 4, head + length),
    };
    this.#buffer = this.#buffer.subarray(head + length);
    return frame;
  }

  /** Stops reading; gives what has come and was not read. */
  rest(): Buffer {
    this.socket.off('data', this.#onData).off('close', this.#onClose);
    return this.#buffer;
  }

  async #until(bytes: number): Promise<void> {
    while (this.#buffer.length < bytes) {
      if (this.#over) throw new Error('the connection closed during the login');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

export function frame(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type, 'latin1'), length, body]);
}

export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

/** An error that ends the login. */
export function fatal(code: string, message: string): Buffer {
  const fields = { S: 'FATAL', V: 'FATAL', C: code, M: message };
  const text = Object.entries(fields).map(([key, value]) => `${key}${value}\0`);
  return frame('E', Buffer.from(`${text.join('')}\0`));
}

/** The parameters of a start message, such as `user` and `database`. */
export function startParameters(body: Buffer): Map<string, string> {
  const parts = body.subarray(4).toString('utf8').split('\0');
  const parameters = new Map<string, string>();
  for (let n = 0; parts[n]; n += 2) parameters.set(parts[n] ?? '', parts[n + 1] ?? '');
  return parameters;
}
