import path from 'node:path';
import { Command } from 'commander';
import { config } from '@/lib/config/config';
import type { Result } from '@/lib/contract/result';
import { parseArguments, typedIn } from './cli/arguments';
import { CliError, runCommand } from './cli/cli-error';
import { compare } from './eval/compare';
import { type LabelledDocument, readLabels } from './eval/labels';
import { type Ask, modelOf, runDocument } from './eval/run-document';
import { type Comparison, mistakes, scoreFields, scoreTable } from './eval/score';
import { withoutAttachments } from './eval/without-attachments';

interface Options {
  readonly agent: string;
  readonly json?: boolean;
  readonly stripAttachments: boolean;
}

const say = (line: string) => process.stderr.write(`${line}\n`);

/** What was found, by field, with the two counts that labels speak of. */
function valuesOf(result: Result): Record<string, unknown> {
  const values: Record<string, unknown> = Object.fromEntries(
    result.fields.map(({ name, value }) => [name, value]),
  );
  const items = values.line_items;
  return {
    ...values,
    document_type: result.documentType,
    line_count: Array.isArray(items) && items.length > 0 ? items.length : null,
  };
}

async function evaluate(document: LabelledDocument, options: Options, ask: Ask): Promise<Comparison[]> {
  let values: Record<string, unknown> = {};
  try {
    await using copy = options.stripAttachments
      ? await withoutAttachments(document.path)
      : { path: document.path, [Symbol.asyncDispose]: async () => undefined };
    values = valuesOf(await runDocument(copy.path, options.agent, ask, config().maxPages));
  } catch (error) {
    say(`${document.name}: ${error instanceof Error ? error.message : String(error)}`);
  }
  return Object.entries(document.expected).map(([field, wanted]) => ({
    document: document.name,
    field,
    verdict: compare(field, values[field], wanted, document.alsoAccept[field]),
    got: values[field] ?? null,
    wanted,
  }));
}

async function main(): Promise<number> {
  const command = parseArguments(
    new Command('eval')
      .description('Measures extraction quality on a folder of PDFs whose right answers are known.')
      .argument('<folder>', 'with expected.json, or with a JSON file beside each PDF')
      .option(
        '--agent <id>',
        'invoice, contract, financial-report, general, or auto, which finds out',
        'auto',
      )
      .option('--json', 'print the scores and comparisons as JSON and nothing else')
      .option('--no-strip-attachments', 'leave files embedded in the PDFs where they are'),
  );
  if (!command) return 0;
  const options = command.opts<Options>();
  const folder = path.resolve(typedIn('eval'), command.args[0] ?? '.');
  const documents = await readLabels(folder);
  if (documents.length === 0) throw new CliError(`No PDF with known answers was found in ${folder}.`, 2);
  const { name, ask } = modelOf(config());
  const comparisons: Comparison[] = [];
  for (const [index, document] of documents.entries()) {
    say(`${index + 1}/${documents.length} ${document.name}`);
    comparisons.push(...(await evaluate(document, options, ask)));
  }
  const scores = scoreFields(comparisons);
  if (options.json)
    console.log(JSON.stringify({ model: name, documents: documents.length, scores, comparisons }, null, 2));
  else
    console.log(
      `\n${mistakes(comparisons)}\n\n${name}, ${documents.length} documents\n${scoreTable(scores)}`,
    );
  return 0;
}

await runCommand(main);
