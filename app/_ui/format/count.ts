/** A whole number with groups of three: `12345` → `12,345`. */
export function formatCount(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A large number short: `950`, `12.3 k`, `4.56 M`. The full number belongs into a title beside it. */
export function formatShort(value: number): string {
  if (value < 1000) return String(Math.round(value));
  for (const [size, unit] of [
    [1e3, 'k'],
    [1e6, 'M'],
    [1e9, 'G'],
  ] as const) {
    const scaled = value / size;
    // 999,950 would round to "1000 k": it is 1.00 M.
    if (scaled < 999.5) return `${threeDigits(scaled)}\u202f${unit}`;
  }
  return `${threeDigits(value / 1e12)}\u202fT`;
}

/** Bytes in units of 1000, as file managers show them. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${threeDigits(bytes / 1e3)} kB`;
  if (bytes < 999_500_000) return `${threeDigits(bytes / 1e6)} MB`;
  return `${threeDigits(bytes / 1e9)} GB`;
}

/** A share between 0 and 1 as percent: `0.974` → `97 %`. */
export function formatPercent(share: number): string {
  return `${Math.round(share * 100)}\u202f%`;
}

function threeDigits(value: number): string {
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
