import { expect, test } from 'vitest';
import { runEnvironment } from './run-environment';

test('a run sees no database, no secret and no token, only what it needs to work', () => {
  const seen = runEnvironment({
    PATH: '/bin',
    TZ: 'Europe/Berlin',
    DATABASE_URL: 'postgres://secret',
    PGPASSWORD: 'secret',
    WEBHOOK_SECRET: 'secret',
    AUTH_SECRET: 'secret',
    MODEL_API_KEY: 'secret',
    NODE_OPTIONS: '--inspect',
    LANG: undefined,
  });
  expect(seen).toEqual({ PATH: '/bin', TZ: 'Europe/Berlin', NODE_ENV: 'production' });
});
