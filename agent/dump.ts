import { layoutPage, renderLines } from './layout';
import { readDocument } from './reader/read-document';

// Development: prints what the model is shown of a file. Usage: agent-dump FILE
const [path = ''] = process.argv.slice(2);
let total = 0;
for await (const event of readDocument(path, 2_000)) {
  if (event.kind === 'opened') total = event.pageCount;
  else if (event.kind === 'page') {
    process.stdout.write(`${renderLines(event.page.page, layoutPage(event.page), total)}\n`);
  } else process.stderr.write(`${JSON.stringify({ warnings: event.warnings, embedded: event.embedded })}\n`);
}
