/** Folder of the built app with its `server.js`, or null when there is none. */
export function currentApp(): string | null;
