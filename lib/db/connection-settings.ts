import type { ClientConfig } from 'pg';

/**
 * What `pg` is told of where to connect. With a password that is asked for it gets the parts of the address, since a
 * `connectionString` without a password makes it forget the function.
 * @param url libpq address; with `password`, `sslmode` is `disable` or else the certificate is checked
 */
export function connectionSettings(
  url: string,
  password: (() => Promise<string>) | undefined,
): Pick<
  ClientConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'database' | 'password' | 'ssl' | 'options'
> {
  if (!password) return { connectionString: url };
  const { hostname, port, username, pathname, searchParams } = new URL(url);
  const options = searchParams.get('options');
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || 5432),
    user: decodeURIComponent(username),
    database: decodeURIComponent(pathname.slice(1)),
    password,
    ssl: searchParams.get('sslmode') === 'disable' ? false : { rejectUnauthorized: true },
    ...(options === null ? {} : { options }),
  };
}
