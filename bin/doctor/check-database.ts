import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import type { Config } from '@/lib/config/schema';
import { fingerprint, loadSecrets } from '@/lib/config/secrets';
import { createDb, type Db } from '@/lib/db/client';
import { failureReason } from '@/lib/db/failure-reason';
import { SCHEMA_VERSION } from '@/lib/db/schema-version';
import { readSchemaVersion } from '@/lib/db/wait-for-schema';
import { prepareBinaries } from '@/lib/embedded-postgres/binaries';
import { clusterUser } from '@/lib/embedded-postgres/cluster';
import { PLACE_NOT_TOLD } from '@/lib/queue/adopt-home';
import { findWhereabouts } from '@/lib/queue/home';
import { readSettings } from '@/lib/queue/settings';
import { placeName } from '@/lib/runtime';
import { findDatabase } from '../cli/running-database';
import type { Instance } from '../supervisor/instance';
import { type Finding, note, ok, problem } from './finding';

/** The packaged server, or the one that is set; its schema; what it holds against what is set here. */
export async function checkDatabase(config: Config, instance: Instance | null): Promise<Finding[]> {
  const isSet = config.databaseUrl !== undefined || config.databricks !== undefined;
  const findings = isSet ? [] : [await checkPackagedServer(config.home)];
  if (!isSet && !instance?.databaseUrl) {
    return [...findings, note('the database runs with npm start only, so it was not looked into')];
  }
  const db = createDb(await findDatabase(config), { applicationName: 'tickmark doctor', max: 1 });
  try {
    return [...findings, ...(await look(db, config))];
  } catch (error) {
    const name = config.databaseUrl ? 'DATABASE_URL: ' : config.databricks ? 'Lakebase: ' : '';
    return [...findings, problem(`${name}the database does not answer: ${failureReason(error)}`)];
  } finally {
    await db.$client.end();
  }
}

async function checkPackagedServer(home: string): Promise<Finding> {
  try {
    const user = await clusterUser(home);
    const folder = await prepareBinaries(user);
    return ok(`PostgreSQL in ${folder} runs${user ? ` as ${user.name}, since we are root` : ''}`);
  } catch (error) {
    return problem((error as Error).message);
  }
}

async function look(db: Db, config: Config): Promise<Finding[]> {
  const version = await readSchemaVersion(db);
  if (version === null) return [problem('the database has no schema: npm run db:migrate makes it')];
  if (version < SCHEMA_VERSION) return [problem('the schema is older than this code: npm run db:migrate')];
  const newer = version > SCHEMA_VERSION ? ', newer than this code, which is fine during a deployment' : '';
  return [
    ok(`the database answers; its schema is current${newer}`),
    ...(await checkRights(db)),
    await checkWhereabouts(db, config),
    ...(await compare(db, config)),
  ];
}

/** Looks only: what it finds is for the processes to note that work here. */
async function checkWhereabouts(db: Db, config: Config): Promise<Finding> {
  const { is } = await findWhereabouts(db, placeName(config));
  if (is === 'here') return ok('the database is at home here');
  if (is === 'unknown') return problem(PLACE_NOT_TOLD);
  return problem('the database is a copy, in which nothing runs: leave it so, or npm run db:adopt');
}

/** Migrations are made by whoever starts Tickmark, which must own what they change. */
async function checkRights(db: Db): Promise<Finding[]> {
  const { rows } = await db.execute<{ owner: string; mine: boolean }>(sql`
    /* doctor.rights */
    select pg_get_userbyid(nspowner) as owner, pg_has_role(nspowner, 'usage') as mine
    from pg_namespace where nspname = 'tickmark'`);
  const [schema] = rows;
  if (!schema || schema.mine) return [];
  return [
    problem(
      `the schema tickmark belongs to ${schema.owner}: let that role start Tickmark, or hand it over (reassign owned by)`,
    ),
  ];
}

async function compare(db: Db, config: Config): Promise<Finding[]> {
  const stored = await readSettings(db);
  const findings = [
    compareCeiling('MAX_CONCURRENT_TASKS', config.ceilings.maxConcurrentTasks, stored.maxConcurrentTasks),
    compareCeiling('MAX_TPM', config.ceilings.maxTpm, stored.maxTpm),
  ];
  // Only compared where it exists: looking must not make a secret.
  const kept = await lstat(path.join(config.home, 'secrets.json')).catch(() => null);
  if (stored.secretFingerprint && (kept || config.webhookSecret)) {
    const same = stored.secretFingerprint === fingerprint((await loadSecrets(config)).webhookSecret);
    findings.push(
      same
        ? ok('WEBHOOK_SECRET is the one this database was used with')
        : problem(
            'WEBHOOK_SECRET is not the one this database was used with: set that one, or use its data folder',
          ),
    );
  }
  return findings;
}

function compareCeiling(name: string, here: number | null, stored: number | null): Finding {
  const words = `${name}: ${stored ?? 'no ceiling'}`;
  if (here === stored) return ok(words);
  return note(`${words} in the database, ${here ?? 'none'} here; the next npm start writes what is set here`);
}
