const URI = /^sha256:([0-9a-f]{64})$/;

/** The hash that the address of a stored document names. Throws `TypeError`. */
export function parseUri(uri: string): string {
  const sha256 = URI.exec(uri)?.[1];
  if (!sha256)
    throw new TypeError(`not the address of a stored document: ${JSON.stringify(uri.slice(0, 100))}`);
  return sha256;
}

/** Attempt ids and file names become one part of a path and nothing else. Throws `TypeError`. */
export function checkedName(name: string): string {
  if (!/^[0-9A-Za-z][0-9A-Za-z._-]{0,99}$/.test(name)) {
    throw new TypeError(`not a name for a run's folder or file: ${JSON.stringify(name.slice(0, 100))}`);
  }
  return name;
}
