/** What a model call used and cost, as its trace says. `inputTokens` includes cached and written ones. */
export interface TracedCall {
  readonly model: string | null;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  /** US dollars as an exact decimal string; null where nobody put a price on it. */
  readonly costUsd: string | null;
  /** Who priced it: the run, at the prices it was given, or the server, at those that it knows. */
  readonly pricedBy: 'run' | 'server' | null;
}

/** A trace as far as it has arrived. */
export interface ReadTrace {
  readonly kind: 'found';
  /** False until the root span is there, with which the run says that it is done. */
  readonly isEnded: boolean;
  readonly calls: readonly TracedCall[];
  /** How many calls the run says it made; null where it does not say. */
  readonly expectedCalls: number | null;
  /** The attempts that it says it is of; none where it does not say. */
  readonly attemptIds: readonly string[];
}

/** `absent`: nothing of this trace has arrived, which is no proof that nothing will. */
export type TraceReading = ReadTrace | { readonly kind: 'absent' };

/** Where traces are read back from. */
export interface TraceSource {
  /** `none`: no traces are kept, and nobody needs to ask. */
  readonly name: 'none' | 'mlflow' | 'databricks';
  /** False where a trace is written once, when its run is over: asking before that is for nothing. */
  readonly seesRunsInFlight: boolean;
  /**
   * What is known of a trace now. Reading changes nothing.
   * @param traceId 32 hex digits
   * @throws TraceSourceUnavailable when the source can't be asked at all
   * @throws TraceUnreadable when it can't give this trace, and may well give others
   */
  read(traceId: string): Promise<TraceReading>;
}

/** The source could not be asked; says what to look at, for the person who set it up. */
export class TraceSourceUnavailable extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'TraceSourceUnavailable';
  }
}

/** This trace can't be had, or not in a form that is known here. */
export class TraceUnreadable extends Error {
  /** It will be no other when it is read again: too large, or beyond what can be kept. */
  readonly isFinal: boolean;

  constructor(message: string, { cause, isFinal = false }: { cause?: unknown; isFinal?: boolean } = {}) {
    super(message, { cause });
    this.name = 'TraceUnreadable';
    this.isFinal = isFinal;
  }
}
