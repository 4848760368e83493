import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace';

/** Brings spans to where traces are kept; throws where it could not. All or nothing, as MLflow's OTLP endpoint is. */
export type DeliverSpans = (spans: readonly ReadableSpan[]) => Promise<void>;

/** Spans that end together go together: so most short runs are one request, and a long one is seen while it goes on. */
const SOON_MS = 500;
/** After a refusal while the run goes on; at its end it is tried again anyway. */
const PAUSE_MS = 5_000;
const FIRST_WAIT_MS = 100;
/** A run of more calls than this sends the newest: a server that is away must not fill the run's memory. */
const MAX_WAITING = 5_000;

/**
 * Sends finished spans soon after they end, one request at a time (two at once for one trace race in the server), and keeps
 * those that did not arrive for the next time. The batch processor of the SDK drops a batch that the server refuses and
 * sends in parallel when flushed, hence this one.
 */
export class SpanSender implements SpanProcessor {
  private waiting: ReadableSpan[] = [];
  private dropped = false;
  private sending: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;
  private lastFailure: unknown = null;

  constructor(private readonly deliver: DeliverSpans) {}

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    this.waiting.push(span);
    if (this.waiting.length > MAX_WAITING) {
      this.waiting.shift();
      this.dropped = true;
    }
    this.sendIn(SOON_MS);
  }

  /**
   * Sends all that waits, again and again until it has arrived or `patienceMs` are over.
   * @returns null when everything has arrived, else why not
   */
  async finish(patienceMs: number): Promise<unknown> {
    clearTimeout(this.timer);
    const deadline = AbortSignal.timeout(patienceMs);
    const over = new Promise<void>((resolve) =>
      deadline.addEventListener('abort', () => resolve(), { once: true }),
    );
    for (let wait = FIRST_WAIT_MS; !deadline.aborted; wait *= 2) {
      await Promise.race([this.sending ?? this.send(), over]);
      if (this.waiting.length === 0 && !this.sending) break;
      if (this.lastFailure) await Promise.race([sleep(wait), over]);
    }
    if (this.waiting.length > 0 || this.sending) {
      return this.lastFailure ?? new Error(`no answer within ${patienceMs} ms`);
    }
    return this.dropped ? new Error(`only the last ${MAX_WAITING} spans were kept`) : null;
  }

  async forceFlush(): Promise<void> {
    await (this.sending ?? this.send());
  }

  async shutdown(): Promise<void> {
    clearTimeout(this.timer);
  }

  private sendIn(ms: number): void {
    if (this.timer || this.sending) return;
    this.timer = setTimeout(() => void this.send(), ms).unref();
  }

  private send(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const batch = this.waiting;
    if (batch.length === 0) return Promise.resolve();
    this.waiting = [];
    this.sending = this.deliver(batch)
      .then(
        () => {
          this.lastFailure = null;
        },
        (error: unknown) => {
          this.lastFailure = error ?? new Error('refused');
          this.waiting = [...batch, ...this.waiting];
        },
      )
      .finally(() => {
        this.sending = null;
        if (this.waiting.length > 0) this.sendIn(this.lastFailure ? PAUSE_MS : SOON_MS);
      });
    return this.sending;
  }
}
