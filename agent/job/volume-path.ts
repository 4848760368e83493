import path from 'node:path';

/**
 * Where a file of a Volume is found by this process: serverless compute mounts Volumes under `/Volumes`.
 * @param file absolute, as the app wrote it: `/Volumes/<catalog>/<schema>/<volume>/…`
 * @param root where `/Volumes` is mounted; elsewhere in tests only
 * @throws TypeError for a path that leads out of Volumes
 */
export function mountedPath(file: string, root: string): string {
  const clean = path.posix.normalize(file);
  if (!/^\/Volumes\/[^/]+\/[^/]+\/[^/]+\/[^/]/.test(clean) || file.includes('\0')) {
    throw new TypeError(`not a file of a Volume: ${JSON.stringify(file.slice(0, 200))}`);
  }
  return path.join(root, clean.slice('/Volumes'.length));
}
