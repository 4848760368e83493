/** Folder of the built app with its `server.js`, or null when there is none. */
export function currentApp(): string | null;
/** Notes that this process serves a build, so that later builds leave it alone. */
export function markInUse(folder: string): void;
