import pg from 'pg';

/** A connection for hand-written statements, kept prepared and planned once: with arrays they would be planned each time. */
export async function openRawSession(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  await client.connect();
  await client.query('set plan_cache_mode = force_generic_plan');
  return client;
}

/** The rows of a statement that is prepared under `name`. */
export async function prepared<Row extends pg.QueryResultRow>(
  client: pg.Client,
  name: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return (await client.query<Row>({ name, text, values })).rows;
}
