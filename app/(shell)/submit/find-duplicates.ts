interface Sized {
  readonly key: string;
  readonly path: string;
  readonly file: Blob;
}

/**
 * Files with the content of an earlier one: key → path of the first. Only files of equal size are read, and only where
 * the browser can hash (https, or this machine).
 */
export async function findDuplicates(files: readonly Sized[]): Promise<Map<string, string>> {
  const bySize = new Map<number, Sized[]>();
  for (const file of files) bySize.set(file.file.size, [...(bySize.get(file.file.size) ?? []), file]);
  const found = new Map<string, string>();
  for (const group of bySize.values()) {
    if (group.length < 2) continue;
    const firstByHash = new Map<string, string>();
    for (const { key, path, file } of group) {
      const hash = await hashOf(file);
      if (hash === null) continue;
      const first = firstByHash.get(hash);
      if (first === undefined) firstByHash.set(hash, path);
      else found.set(key, first);
    }
  }
  return found;
}

async function hashOf(blob: Blob): Promise<string | null> {
  if (!globalThis.crypto?.subtle) return null;
  const digest = await crypto.subtle.digest('SHA-256', await blob.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
