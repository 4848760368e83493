import { createTestDatabase } from '@/test/database';
import { databaseCredentialsConformance } from '@/test/database-credentials';
import { createFixedCredentials } from './embedded';

databaseCredentialsConformance('a fixed password', async () => {
  const database = await createTestDatabase();
  return {
    credentials: createFixedCredentials(database.url),
    expire: async () => {},
    close: () => database.close(),
  };
});
