/** What a run needs of the environment to find programs, speak a language and reach a model through a proxy. */
const HANDED_ON = [
  'PATH',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];

/**
 * The environment of processes that read documents from outside: a list of what is allowed, so that no database
 * credential, secret or token reaches them whatever it is called.
 */
export function runEnvironment(env: Record<string, string | undefined> = process.env): NodeJS.ProcessEnv {
  const handedOn = Object.fromEntries(
    HANDED_ON.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return { ...handedOn, NODE_ENV: 'production' };
}
