import type Big from 'big.js';
import type { Pack } from './packs';

export type DateStyle = Pack['dates'][number];

/** A day as this style prints it. */
export function printDate(iso: string, style: DateStyle, months: readonly string[]): string {
  const [y = '', m = '', d = ''] = iso.split('-');
  const month = months[Number(m) - 1] ?? '';
  switch (style) {
    case 'd.m.y':
      return `${d}.${m}.${y}`;
    case 'd/m/y':
      return `${d}/${m}/${y}`;
    case 'd-m-y':
      return `${d}-${m}-${y}`;
    case 'm/d/y':
      return `${m}/${d}/${y}`;
    case 'y-m-d':
      return iso;
    case 'd month y':
      return `${Number(d)} ${month} ${y}`;
    case 'month d, y':
      return `${month} ${Number(d)}, ${y}`;
  }
}

export function addDays(iso: string, days: number): string {
  const date = new Date(`${iso}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** Two decimals with the signs of the language. */
export function printNumber(value: Big, decimal: string, thousands: string, decimals = 2): string {
  const [whole = '', rest = ''] = value.abs().toFixed(decimals).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, thousands);
  return `${value.lt(0) ? '-' : ''}${grouped}${decimals > 0 ? decimal + rest : ''}`;
}
