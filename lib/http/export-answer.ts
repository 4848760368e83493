import 'server-only';
import { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import type { Extraction } from '@/lib/contract/api';
import { readExportRows, readFieldNames } from '@/lib/dashboard/export-rows';
import type { Db } from '@/lib/db/client';
import { cleanFilename } from '@/lib/documents/filename';
import { toCsv } from '@/lib/export/csv';
import { toJson } from '@/lib/export/json';
import { toXlsx } from '@/lib/export/xlsx';

const CONTENT_TYPES = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;
export type ExportFormat = keyof typeof CONTENT_TYPES;

/** All results of an extraction as a download, streamed. */
export async function exportAnswer(db: Db, extraction: Extraction, format: ExportFormat): Promise<Response> {
  const rows = () => readExportRows(db, extraction.id);
  const fieldNames = format === 'json' ? [] : await readFieldNames(db, extraction.id);
  const bytes = {
    csv: () => toCsv(rows(), fieldNames),
    json: () => toJson(rows()),
    xlsx: () => toXlsx(rows, fieldNames),
  };
  const filename = cleanFilename(`${extraction.name.replace(/[/\\]/g, '-')}.${format}`);
  return new Response(Readable.toWeb(bytes[format]()) as unknown as ReadableStream, {
    headers: {
      'content-type': CONTENT_TYPES[format],
      'content-disposition': contentDisposition(filename),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  });
}
