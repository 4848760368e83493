import { ERROR_CODES, isErrorCode } from '@/lib/contract/error-codes';
import { type Check, checkResult, foundNothing } from '@/lib/contract/result-checks';
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

const FAILED_CHECKS = {
  title: 'failed_checks',
  value: (row: ExportRow) =>
    checksOf(row)
      .filter(({ outcome }) => outcome === 'fails')
      .map(({ label, detail }) => `${label}: ${detail}`)
      .join('; '),
};

/** What the pages check of a result: whether its figures agree with each other. Nothing where nothing was found. */
export function checksOf({ status, documentType, fields, warnings }: ExportRow): Check[] {
  const result = { documentType, confidence: null, fields: [...fields], warnings: [...warnings] };
  return status === 'completed' && !foundNothing(result) ? checkResult(result) : [];
}

/** Behind the fields, so that nothing that reads the columns before them by their place breaks. */
export const USAGE_COLUMNS: typeof FIXED_COLUMNS = [
  { title: 'input_tokens', value: (row) => row.inputTokens },
  { title: 'output_tokens', value: (row) => row.outputTokens },
  { title: 'llm_cost_usd', value: (row) => row.llmCostUsd ?? '' },
  FAILED_CHECKS,
];

/** A column of a document may be called as one of ours; then its own comes first and ours is left out. */
export function usageColumns(fieldNames: readonly string[]): typeof FIXED_COLUMNS {
  return USAGE_COLUMNS.filter(({ title }) => !fieldNames.includes(title));
}

function problemOf({ errorCode, errorMessage }: ExportRow): string {
  if (errorCode === null) return '';
  if (isErrorCode(errorCode)) return `${errorCode}: ${ERROR_CODES[errorCode].advice}`;
  return errorMessage ? `${errorCode}: ${errorMessage}` : errorCode;
}
