interface GaugeProps {
  readonly label: string;
  readonly value: number;
  /** What holds; null = none. */
  readonly limit: number | null;
  /** What was set for this agent; shown as a mark where something lower holds. */
  readonly set: number | null;
  readonly format: (value: number) => string;
  readonly note: string;
}

/** A present value against its limit; more than it is possible, when a limit was lowered. */
export function Gauge({ label, value, limit, set, format, note }: GaugeProps) {
  const whole = Math.max(limit ?? 0, set ?? 0);
  const share = (part: number) => (whole === 0 ? (part > 0 ? 1 : 0) : Math.min(1, part / whole));
  const isLower = limit !== null && set !== null && limit < set;
  return (
    <dl>
      <dt className="text-muted text-xs">{label}</dt>
      <dd
        className="tabular font-medium text-lg"
        title={`${value.toLocaleString('en-GB')}${limit === null ? '' : ` of ${limit.toLocaleString('en-GB')}`}`}
      >
        {format(value)}
        {limit !== null && <span className="font-normal text-base text-muted"> of {format(limit)}</span>}
      </dd>
      {limit !== null && (
        // The numbers above say the same.
        <dd aria-hidden className="relative mt-1 h-1 max-w-40 overflow-hidden rounded-full bg-line">
          <span
            className="block h-full origin-left rounded-full bg-accent transition-transform duration-[180ms]"
            style={{ transform: `scaleX(${share(value)})` }}
          />
          {isLower && (
            <span className="absolute inset-y-0 w-0.5 bg-text" style={{ left: `${share(limit) * 100}%` }} />
          )}
        </dd>
      )}
      <dd className="mt-0.5 text-muted text-xs">{limit === null ? 'no limit' : note}</dd>
    </dl>
  );
}
