import { access, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

/** What is known to be right about one document. */
export interface LabelledDocument {
  /** Absolute path. */
  readonly path: string;
  /** Relative to the labelled folder. */
  readonly name: string;
  /** Expected values by field; `line_count` stands for the number of line items, `document_type` for the kind. */
  readonly expected: Readonly<Record<string, unknown>>;
  readonly alsoAccept: Readonly<Record<string, readonly unknown[]>>;
}

const Value = z.union([z.string(), z.number(), z.null(), z.array(z.string())]);
const Labels = z.record(z.string(), z.unknown());
const AlsoAccept = z.record(z.string(), z.array(z.unknown())).default({});
const Entry = z.object({
  file: z.string(),
  kind: z.string().optional(),
  expected: Labels,
  also_accept: AlsoAccept,
});
const Index = z.object({ open: z.array(Entry) }).or(z.object({ documents: z.array(Entry) }));
const Beside = z.object({ expected: Labels, also_accept: AlsoAccept });

/** Other names under which labelled folders give our fields. */
const ALIASES: Readonly<Record<string, string>> = {
  doc_type: 'document_type',
  company: 'entity',
  total_net_sales: 'revenue',
  total_revenue: 'revenue',
};

/** Labels that our fields have no place for. */
const KNOWN = new Set(
  'document_type invoice_number issue_date due_date seller buyer currency net_total tax_total grand_total amount_due line_count title parties effective_date expiration_date governing_law entity period_end revenue net_income total_assets document_date'.split(
    ' ',
  ),
);

function toExpected(labels: z.infer<typeof Labels>): Record<string, unknown> {
  const expected: Record<string, unknown> = {};
  for (const [key, raw] of Object.entries(labels)) {
    if (key === 'receipt') {
      Object.assign(expected, toExpected(Labels.parse(raw)));
      continue;
    }
    const name = ALIASES[key] ?? key;
    const wrapped = z.object({ value: Value }).safeParse(raw);
    const value = Value.safeParse(wrapped.success ? wrapped.data.value : raw);
    if (KNOWN.has(name) && value.success) expected[name] = value.data;
    if (key === 'line_items' && Array.isArray(raw)) expected.line_count = raw.length;
  }
  return expected;
}

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );

/**
 * Reads a labelled folder: `expected.json` with a list of documents, or beside each PDF a JSON file of the same name
 * with its fields (or with `expected` and `also_accept`). Documents without any field of ours are left out.
 */
export async function readLabels(folder: string): Promise<LabelledDocument[]> {
  const index = path.join(folder, 'expected.json');
  const found = (await exists(index)) ? await fromIndex(folder, index) : await fromFiles(folder);
  return found.filter((document) => Object.keys(document.expected).length > 0);
}

async function fromIndex(folder: string, file: string): Promise<LabelledDocument[]> {
  const index = Index.parse(JSON.parse(await readFile(file, 'utf8')));
  const entries = 'open' in index ? index.open : index.documents;
  return entries
    .filter((entry) => entry.file.toLowerCase().endsWith('.pdf') && entry.kind !== 'malformed')
    .map((entry) => ({
      path: path.join(folder, entry.file),
      name: entry.file,
      expected: toExpected(entry.expected),
      alsoAccept: entry.also_accept,
    }));
}

async function fromFiles(folder: string): Promise<LabelledDocument[]> {
  const documents: LabelledDocument[] = [];
  const files = (await readdir(folder, { recursive: true })).filter((name) => /\.pdf$/i.test(name)).sort();
  for (const name of files) {
    const label = path.join(folder, name.replace(/\.pdf$/i, '.json'));
    if (!(await exists(label))) continue;
    const json: unknown = JSON.parse(await readFile(label, 'utf8'));
    const wrapped = Beside.safeParse(json);
    const { expected, also_accept } = wrapped.success
      ? wrapped.data
      : { expected: Labels.parse(json), also_accept: {} };
    documents.push({
      path: path.join(folder, name),
      name,
      expected: toExpected(expected),
      alsoAccept: also_accept,
    });
  }
  return documents;
}
