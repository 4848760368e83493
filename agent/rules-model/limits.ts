/** Requests and tokens that may be used per minute; null = no limit. */
export interface RateLimits {
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
}

/** Generous: the built-in model is here to try things with, and its own limits to be met on purpose. */
export const DEFAULT_LIMITS: RateLimits = { requestsPerMinute: 3_000, tokensPerMinute: 30_000_000 };

export type Admission =
  | { readonly admitted: true }
  | { readonly admitted: false; readonly what: 'requests' | 'tokens'; readonly retryAfterSeconds: number };

/** A bucket that holds a minute's allowance and fills evenly. It may be overdrawn by what turns out afterwards. */
class Bucket {
  private level: number;
  private at: number;

  constructor(
    readonly perMinute: number,
    now: number,
  ) {
    this.level = perMinute;
    this.at = now;
  }

  refill(now: number): void {
    const elapsed = Math.max(0, now - this.at);
    this.level = Math.min(this.perMinute, this.level + (elapsed * this.perMinute) / 60_000);
    this.at = now;
  }

  /** Seconds until `amount` is there, 0 for now. More than the whole allowance passes when the bucket is full. */
  waitSeconds(amount: number): number {
    const wanted = Math.min(amount, this.perMinute);
    if (this.level >= wanted - 1e-6) return 0;
    return Math.max(1, Math.ceil(((wanted - this.level) * 60) / this.perMinute));
  }

  take(amount: number): void {
    this.level -= amount;
  }

  get remaining(): number {
    return Math.max(0, Math.floor(this.level));
  }
}

/** The model's own limits, as providers have them. One process, so memory is enough. */
export class RateLimiter {
  private readonly requests: Bucket | null;
  private readonly tokens: Bucket | null;

  /** @param now milliseconds of a clock that does not jump */
  constructor(
    readonly limits: RateLimits,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.requests = limits.requestsPerMinute === null ? null : new Bucket(limits.requestsPerMinute, now());
    this.tokens = limits.tokensPerMinute === null ? null : new Bucket(limits.tokensPerMinute, now());
  }

  /** Takes one request and its prompt's tokens from the allowance, or nothing at all. */
  admit(promptTokens: number): Admission {
    const now = this.now();
    this.requests?.refill(now);
    this.tokens?.refill(now);
    const forRequests = this.requests?.waitSeconds(1) ?? 0;
    const forTokens = this.tokens?.waitSeconds(promptTokens) ?? 0;
    if (forRequests > 0 || forTokens > 0) {
      return forTokens >= forRequests
        ? { admitted: false, what: 'tokens', retryAfterSeconds: forTokens }
        : { admitted: false, what: 'requests', retryAfterSeconds: forRequests };
    }
    this.requests?.take(1);
    this.tokens?.take(promptTokens);
    return { admitted: true };
  }

  /** Counts the answer's tokens too. */
  settle(completionTokens: number): void {
    this.tokens?.take(completionTokens);
  }

  /** What is left, as headers that clients of OpenAI know. */
  headers(): Record<string, string> {
    return {
      ...(this.requests && {
        'x-ratelimit-limit-requests': String(this.requests.perMinute),
        'x-ratelimit-remaining-requests': String(this.requests.remaining),
      }),
      ...(this.tokens && {
        'x-ratelimit-limit-tokens': String(this.tokens.perMinute),
        'x-ratelimit-remaining-tokens': String(this.tokens.remaining),
      }),
    };
  }
}
