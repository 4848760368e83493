import 'server-only';
import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import type { ExportRow } from '@/lib/dashboard/export-rows';
import { cellText, fieldValue, guardFormula } from './cell';
import { FIXED_COLUMNS, usageColumns } from './columns';

/** One line per document, one column per field, then what it took; UTF-8 with a mark at the beginning, without which Excel misreads it. */
export function toCsv(rows: AsyncIterable<ExportRow>, fieldNames: readonly string[]): Readable {
  const usage = usageColumns(fieldNames);
  const titles = (columns: typeof FIXED_COLUMNS) => columns.map(({ title }) => title);
  const header = [...titles(FIXED_COLUMNS), ...fieldNames, ...titles(usage)].map(guardFormula);
  const lines = stringify({ bom: true, record_delimiter: 'windows' });
  const source = Readable.from(
    (async function* () {
      yield header;
      for await (const row of rows) {
        const fixed = FIXED_COLUMNS.map(({ value }) => String(value(row)));
        const fields = fieldNames.map((name) => cellText(fieldValue(row.fields, name)));
        yield [...fixed, ...fields, ...usage.map(({ value }) => String(value(row)))].map(guardFormula);
      }
    })(),
  );
  source.on('error', (error) => lines.destroy(error));
  lines.on('close', () => source.destroy());
  return source.pipe(lines);
}
