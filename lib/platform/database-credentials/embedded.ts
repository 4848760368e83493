import type { DatabaseCredentials } from './port';

/** Our own server, or any other that has a fixed password or none. */
export function createFixedCredentials(databaseUrl: string): DatabaseCredentials {
  return { url: databaseUrl };
}
