/** Where a database is, as exactly as it can be told. */
export interface Place {
  /** What the platform calls it, such as a branch; null = not told. */
  readonly name: string | null;
  /** The server's own number; branches of one project, and physical copies, share it. null = we may not ask. */
  readonly server: string | null;
  /** The database's number on that server: a second one in the same branch has another. */
  readonly database: string;
}

/**
 * What a home and a place say of each other. `elsewhere` is proven. `unknown`: one of them is named and the other is not,
 * and nothing else tells them apart.
 */
export type Comparison = 'here' | 'elsewhere' | 'unknown';

/** Stands for a server's number that is not known. */
const NOT_KNOWN = '-';

/** `postgres:SERVER/DATABASE`, or `NAME#SERVER/DATABASE`; the form in which `settings.home` keeps it. */
export function formatPlace({ name, server, database }: Place): string {
  const numbers = `${server ?? NOT_KNOWN}/${database}`;
  return name === null ? `postgres:${numbers}` : `${name}#${numbers}`;
}

/**
 * Whether a database that is at home at `home` is here. Of a name and one without, only another server or database
 * tells that they differ. Where both are named the server's number is not asked: a platform may move a branch.
 */
export function comparePlaces(home: string, place: Place): Comparison {
  const noted = parseHome(home);
  const sameServer = noted.server === null || place.server === null ? null : noted.server === place.server;
  // The older form of a name says nothing of the database.
  const sameDatabase = noted.database === null ? null : noted.database === place.database;
  if (noted.name !== null && place.name !== null) {
    return noted.name === place.name && sameDatabase !== false ? 'here' : 'elsewhere';
  }
  if (sameServer === false || sameDatabase === false) return 'elsewhere';
  return noted.name === place.name ? 'here' : 'unknown';
}

/** What is to be noted as the home of a database that is here: whatever is known of both. */
export function completeHome(home: string | null, place: Place): string {
  const server = place.server ?? (home === null ? null : parseHome(home).server);
  return formatPlace({ ...place, server });
}

function parseHome(home: string): { name: string | null; server: string | null; database: string | null } {
  const unnamed = home.startsWith('postgres:');
  const cut = unnamed ? 'postgres'.length : home.lastIndexOf('#');
  if (cut < 0) return { name: home, server: null, database: null };
  const [server, database = null] = home.slice(cut + 1).split('/');
  const name = unnamed ? null : home.slice(0, cut);
  return { name, server: !server || server === NOT_KNOWN ? null : server, database };
}
