import type { ExtractionDefinition } from '@/lib/contract/agent-definition';
import type { Progress } from '@/lib/contract/callback';
import type { Result, Warning } from '@/lib/contract/result';
import type { RunInput } from '@/lib/contract/run-input';
import { embeddedWarning, severalDocumentsWarning, totalsWarning } from './checks';
import { layoutPage } from './layout';
import { LineIndex } from './locate';
import { limitLists, mergeAnswers } from './merge-answers';
import { type Part, withPictures } from './pictures';
import {
  type AnswerField,
  classifyRequest,
  extractRequest,
  type ModelRequest,
  parseClassifyAnswer,
  parseExtractAnswer,
  repairRequest,
} from './prompt';
import type { PagePicture } from './reader/page-picture';
import type { ReadEvent } from './reader/read-document';
import { overallConfidence, resultFields } from './result-fields';
import { RunFailure } from './run-failure';
import { loadTokenCounter, type TokenCounter } from './tokens';
import { beginning, type PageLines, windows } from './windows';

const CLASSIFY_PICTURES = 2;

/** What the pipeline needs from outside. */
export interface PipelineParts {
  /** The document, page by page. */
  readonly read: () => AsyncIterable<ReadEvent>;
  /** One answer of the model. */
  readonly ask: (request: ModelRequest, purpose: string) => Promise<string>;
  readonly onProgress: (progress: Progress) => void;
}

/**
 * One document from file to result: read, tell its kind where asked to, ask for its fields, find them on the page.
 * A document that shows none of the fields is a result too, with all values null.
 * @throws ReadError, RunFailure
 */
export async function runPipeline(agent: RunInput['agent'], parts: PipelineParts): Promise<Result> {
  const document = await readAll(parts);
  const countTokens = await loadTokenCounter();
  const definition = await chooseDefinition(agent, document, parts, countTokens);
  const answers: AnswerField[][] = [];
  const warnings: Warning[] = [...document.warnings];
  const texts = windows(document.pages, document.pageCount, countTokens);
  for (const part of withPictures(texts, document.pictures)) {
    const { fields, problems } = await extract(definition, part, parts);
    answers.push(fields);
    if (problems.length > 0) {
      warnings.push({
        code: 'answer_incomplete',
        message: `The model gave no valid answer for: ${problems.join('; ')}`.slice(0, 2_000),
      });
    }
  }
  const index = new LineIndex(document.pages.flatMap((page) => page.lines));
  const { answers: kept, warning: cut } = limitLists(mergeAnswers(answers));
  const fields = resultFields(kept, index, (page) => document.trust.get(page) ?? 1);
  const found = [
    cut,
    totalsWarning(fields),
    embeddedWarning(fields, document.embedded),
    severalDocumentsWarning(document.pages),
  ].filter((warning) => warning !== null);
  parts.onProgress({ done: document.pageCount, total: document.pageCount });
  return {
    documentType: definition.documentType,
    confidence: overallConfidence(fields),
    warnings: [...warnings, ...found].slice(0, 1_000),
    fields,
  };
}

interface ReadResult {
  readonly pageCount: number;
  readonly pages: readonly PageLines[];
  /** How well a page was read, by number. */
  readonly trust: ReadonlyMap<number, number>;
  /** Of pages whose text was recognised, for a model that sees. */
  readonly pictures: readonly PagePicture[];
  readonly warnings: readonly Warning[];
  readonly embedded: Extract<ReadEvent, { kind: 'done' }>['embedded'];
}

async function readAll({ read, onProgress }: PipelineParts): Promise<ReadResult> {
  const pages: PageLines[] = [];
  const trust = new Map<number, number>();
  const pictures: PagePicture[] = [];
  let pageCount = 0;
  for await (const event of read()) {
    if (event.kind === 'opened') pageCount = event.pageCount;
    else if (event.kind === 'done') {
      const { warnings, embedded } = event;
      return { pageCount, pages, trust, pictures, warnings, embedded };
    } else {
      pages.push({ page: event.page.page, lines: layoutPage(event.page) });
      trust.set(event.page.page, event.page.confidence);
      if (event.picture) pictures.push(event.picture);
    }
    // The last page counts as done when its fields are there.
    onProgress({ done: Math.min(pages.length, Math.max(0, pageCount - 1)), total: pageCount });
  }
  throw new Error('the reader ended without saying so');
}

async function chooseDefinition(
  agent: RunInput['agent'],
  document: ReadResult,
  { ask }: PipelineParts,
  countTokens: TokenCounter,
): Promise<ExtractionDefinition> {
  if (agent.definition.kind === 'extract') return agent.definition;
  const [only, ...others] = agent.candidates;
  if (only === undefined) throw new Error(`agent ${agent.id} has no definitions to choose from`);
  if (others.length === 0) return only;
  const request = classifyRequest(
    agent.candidates,
    beginning(document.pages, document.pageCount, countTokens),
    // What kind of document it is shows on its first pages.
    document.pictures.filter(({ page }) => page <= CLASSIFY_PICTURES),
  );
  const answer = await ask(request, 'classify');
  const chosen =
    parseClassifyAnswer(agent.candidates, answer) ??
    parseClassifyAnswer(
      agent.candidates,
      await ask(repairRequest(request, answer, 'documentType must be one of the kinds'), 'classify, repair'),
    );
  if (chosen === null) {
    throw new RunFailure(
      'model_unavailable',
      'The model did not say which kind of document this is, asked twice.',
    );
  }
  return chosen.definition;
}

/** One part of the document; an answer that does not follow the schema is sent back once. */
async function extract(definition: ExtractionDefinition, part: Part, { ask }: PipelineParts) {
  const request = extractRequest(definition, part.text, part.pictures);
  const answer = await ask(request, 'extract');
  const first = parseExtractAnswer(definition, answer);
  if (first.problems.length === 0) return { ...first, fields: [...first.fields] };
  const problem = first.problems.join('; ').slice(0, 2_000);
  const repaired = parseExtractAnswer(
    definition,
    await ask(repairRequest(request, answer, problem), 'extract, repair'),
  );
  const better = repaired.problems.length <= first.problems.length ? repaired : first;
  if (better.isObject) return { ...better, fields: [...better.fields] };
  throw new RunFailure('model_unavailable', 'The model did not answer with the JSON asked for, asked twice.');
}
