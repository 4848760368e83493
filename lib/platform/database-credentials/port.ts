/** How processes of ours log in to the database. */
export interface DatabaseCredentials {
  /** libpq address; it holds a password only where that is a fixed one. */
  readonly url: string;
  /** Where passwords expire: asked for at each new connection. Many who ask at once cause one call. */
  readonly password?: () => Promise<string>;
  /** The server has refused this password: it is not given out again. */
  readonly onRefused?: (password: string) => void;
}
