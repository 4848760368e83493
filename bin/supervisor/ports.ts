import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { EXIT, StartError } from './start-error';

/** A port on 127.0.0.1 that nobody listens on right now. */
export async function freePort(): Promise<number> {
  return listenOnce('127.0.0.1', 0);
}

/**
 * Throws `StartError` when the app could not listen there.
 * @param setting names what to change
 * @param patienceMs how long a port in use may take to become free
 */
export async function checkPort(host: string, port: number, setting: string, patienceMs = 0): Promise<void> {
  const deadline = Date.now() + patienceMs;
  try {
    await listenOnce(host, port);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EADDRINUSE' && patienceMs > 0) {
      await delay(100);
      return checkPort(host, port, setting, deadline - Date.now());
    }
    if (code === 'EADDRINUSE') {
      throw new StartError(
        `${setting}: port ${port} on ${host} is taken by another program: set ${setting} to a free one, for example ${setting}=${port + 1} npm start`,
        EXIT.portTaken,
      );
    }
    if (code === 'EACCES') {
      throw new StartError(
        `${setting}: this user may not listen on port ${port}: use one above 1023`,
        EXIT.portTaken,
      );
    }
    throw new StartError(`HOST: can't listen on ${host}: ${(error as Error).message}`, EXIT.wrongSetting, {
      cause: error,
    });
  }
}

async function listenOnce(host: string, port: number): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : port;
}
