interface BulletProps {
  readonly value: number;
  /** The limit that holds; null = none. */
  readonly holds: number | null;
  /** The limit that is set; null = none. */
  readonly set: number | null;
  /** Where the bar ends. */
  readonly scale: number;
  readonly unit: string;
  readonly show: (value: number) => string;
  readonly color: string;
}

/** A present value as a bar, with its limits as marks on it. */
export function Bullet({ value, holds, set, scale, unit, show, color }: BulletProps) {
  const share = (part: number) => `${Math.min(100, (part / scale) * 100)}%`;
  return (
    <div className="min-w-0">
      <p className="tabular truncate text-muted text-xs">
        <span className="text-text">{show(value)}</span>
        {holds === null ? ` ${unit}, no limit` : ` of ${show(holds)} ${unit}`}
        {set !== null && set !== holds && `, set ${show(set)}`}
      </p>
      {/* The line above says the same. */}
      <div aria-hidden className="relative mt-1 h-1.5 rounded-sm bg-line">
        <span
          className="absolute inset-0 origin-left rounded-sm transition-transform duration-[180ms]"
          style={{ transform: `scaleX(${Math.min(1, value / scale)})`, backgroundColor: color }}
        />
        {set !== null && (
          <span
            className="absolute -inset-y-0.5 w-1 -translate-x-1/2 rounded-sm border border-text bg-bg"
            style={{ left: share(set) }}
          />
        )}
        {holds !== null && (
          <span
            className="absolute -inset-y-0.5 w-1 -translate-x-1/2 rounded-sm bg-text"
            style={{ left: share(holds) }}
          />
        )}
      </div>
    </div>
  );
}
