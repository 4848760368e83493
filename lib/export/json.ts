import 'server-only';
import { Readable } from 'node:stream';
import type { ExportRow } from '@/lib/dashboard/export-rows';
import { checksOf } from './columns';

/** A JSON array with one object per document: fields by name, where each stands on its page, and what was checked. */
export function toJson(rows: AsyncIterable<ExportRow>): Readable {
  return Readable.from(
    (async function* () {
      let before = '[\n';
      for await (const row of rows) {
        const { fields, ...rest } = row;
        const values = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
        yield Buffer.from(
          `${before}${JSON.stringify({ ...rest, fields: values, places: fields, checks: checksOf(row) })}`,
        );
        before = ',\n';
      }
      yield Buffer.from(before === '[\n' ? '[]\n' : '\n]\n');
    })(),
  );
}
