import { formatCount } from '../../_ui/format/count';

interface GaugeProps {
  readonly label: string;
  readonly value: number;
  /** null = none. */
  readonly limit: number | null;
  readonly note: string;
}

/** A present value against its limit. */
export function Gauge({ label, value, limit, note }: GaugeProps) {
  const share = limit === null || limit === 0 ? (value > 0 ? 1 : 0) : Math.min(1, value / limit);
  return (
    <dl>
      <dt className="text-muted text-xs">{label}</dt>
      <dd className="tabular font-medium text-lg">
        {formatCount(value)}
        {limit !== null && <span className="font-normal text-base text-muted"> of {formatCount(limit)}</span>}
      </dd>
      {limit !== null && (
        // The numbers above say the same.
        <dd aria-hidden className="mt-1 h-1 max-w-40 overflow-hidden rounded-full bg-line">
          <span
            className="block h-full origin-left rounded-full bg-accent transition-transform duration-[180ms]"
            style={{ transform: `scaleX(${share})` }}
          />
        </dd>
      )}
      <dd className="mt-0.5 text-muted text-xs">{note}</dd>
    </dl>
  );
}
