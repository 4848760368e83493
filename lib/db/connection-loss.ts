/** The connection broke, or the server is starting or stopping. Not: refused credentials or too many connections. */
export function isConnectionLoss(error: unknown): boolean {
  const code = errorCode(error) ?? '';
  return (
    /^(08|57P0[123])/.test(code) ||
    ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT'].includes(code) ||
    /connection terminated|client has encountered a connection error/i.test(rootMessage(error))
  );
}

/** The code of the innermost cause: SQLSTATE or Node's. Drizzle wraps what `pg` throws. */
export function errorCode(error: unknown): string | undefined {
  for (let e = error; e instanceof Error; e = e.cause) {
    const code = (e as { code?: unknown }).code;
    if (typeof code === 'string') return code;
  }
  return undefined;
}

function rootMessage(error: unknown): string {
  let message = '';
  for (let e = error; e instanceof Error; e = e.cause) message = e.message;
  return message;
}
