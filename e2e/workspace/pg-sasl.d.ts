// The SCRAM client of `pg`, which its own types leave out.
declare module 'pg/lib/crypto/sasl.js' {
  interface Session {
    readonly mechanism: string;
    readonly response: string;
  }
  const sasl: {
    startSession(mechanisms: string[]): Session;
    continueSession(session: Session, password: string, serverData: string): Promise<void>;
  };
  export default sasl;
}
