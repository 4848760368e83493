import type { ByteRange } from '@/lib/platform/document-store/port';

/**
 * What a `Range` header asks for of `size` bytes (RFC 9110, one range; several are answered with the whole, which is
 * allowed): `whole`, a range with both ends inclusive, or `unsatisfiable`.
 */
export function parseRange(header: string | null, size: number): 'whole' | 'unsatisfiable' | ByteRange {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '');
  if (!match) return 'whole';
  const [, first = '', last = ''] = match;
  if (first === '') return last === '' ? 'whole' : suffix(Number(last), size);
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return 'whole';
  return start < size ? { start, end } : 'unsatisfiable';
}

function suffix(length: number, size: number): 'unsatisfiable' | ByteRange {
  return length === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: size - 1 };
}
