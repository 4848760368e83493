import { ERROR_CODES, isErrorCode } from '@/lib/contract/error-codes';
import type { ExportRow } from '@/lib/dashboard/export-rows';

/** The columns before the fields, the same in every format. */
export const FIXED_COLUMNS: readonly {
  readonly title: string;
  readonly value: (row: ExportRow) => string | number;
}[] = [
  { title: 'file', value: (row) => row.filename ?? '' },
  { title: 'status', value: (row) => row.status },
  { title: 'document_type', value: (row) => row.documentType ?? '' },
  { title: 'pages', value: (row) => row.pages ?? '' },
  { title: 'confidence', value: (row) => row.confidence ?? '' },
  { title: 'problem', value: (row) => problemOf(row) },
  { title: 'warnings', value: (row) => row.warnings.map(({ code }) => code).join('; ') },
  { title: 'task_id', value: (row) => row.taskId },
];

function problemOf({ errorCode, errorMessage }: ExportRow): string {
  if (errorCode === null) return '';
  if (isErrorCode(errorCode)) return `${errorCode}: ${ERROR_CODES[errorCode].advice}`;
  return errorMessage ? `${errorCode}: ${errorMessage}` : errorCode;
}
