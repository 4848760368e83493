/** Seconds for people: `240 ms`, `4.2 s`, `3 min 10 s`, `2 h 05 min`, `3 d 4 h`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 0.9995) return `${Math.max(0, Math.round(seconds * 1000))} ms`;
  if (seconds < 59.95) return `${seconds < 9.95 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return withRest(Math.floor(whole / 60), 'min', whole % 60, 's');
  if (whole < 86_400) return withRest(Math.floor(whole / 3600), 'h', Math.floor((whole % 3600) / 60), 'min');
  return withRest(Math.floor(whole / 86_400), 'd', Math.floor((whole % 86_400) / 3600), 'h');
}

/** A range of seconds: `2–5 min`, or one value where both ends read the same. */
export function formatRange(low: number, high: number): string {
  const from = roughly(low);
  const to = roughly(high);
  if (from.text === to.text) return `about ${to.text}`;
  return from.unit === to.unit ? `${from.number}–${to.text}` : `${from.text} – ${to.text}`;
}

function withRest(main: number, unit: string, rest: number, restUnit: string): string {
  return rest === 0 ? `${main} ${unit}` : `${main} ${unit} ${rest} ${restUnit}`;
}

function roughly(seconds: number): { number: number; unit: string; text: string } {
  const [number, unit] =
    seconds < 90
      ? [Math.max(1, Math.round(seconds)), 's']
      : seconds < 5400
        ? [Math.round(seconds / 60), 'min']
        : [Math.round(seconds / 360) / 10, 'h'];
  return { number, unit, text: `${number} ${unit}` };
}
