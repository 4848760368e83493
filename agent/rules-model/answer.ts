import { classify } from './classify';
import { findContractFields } from './contract';
import type { Finding } from './finding';
import { findGeneralFields } from './general';
import { findInvoiceFields } from './invoice';
import { settingOf } from './language';
import { type DocumentText, readPages } from './page-text';
import type { Prompt } from './read-prompt';
import { findReportFields } from './report';

/** What the rules found, by field; lists as one finding per element. */
type Findings = Readonly<Record<string, Finding<unknown> | readonly Finding<unknown>[] | null>>;

const RULES: Readonly<Record<string, (document: DocumentText) => Findings>> = {
  invoice: (document) => ({ ...findInvoiceFields(document, settingOf(document)) }),
  contract: (document) => ({ ...findContractFields(document, settingOf(document)) }),
  'financial-report': (document) => ({ ...findReportFields(document, settingOf(document)) }),
  general: (document) => ({ ...findGeneralFields(document, settingOf(document)) }),
};

/** The rules for a kind of document; a kind of another name gets those of the kind that it looks like. */
function findingsFor(documentType: string, document: DocumentText): Findings {
  const rules = RULES[documentType] ?? RULES[classify(document, Object.keys(RULES)).documentType];
  return rules ? rules(document) : {};
}

const NOTHING = { value: null, line: null, quote: null, confidence: 0 };

/** The answer to a prompt as the object that its response schema asks for. */
export function answer(prompt: Prompt): Record<string, unknown> {
  const document = readPages(prompt.pages);
  if (prompt.task === 'classify') return { ...classify(document, prompt.kinds) };
  const findings = findingsFor(prompt.documentType, document);
  return Object.fromEntries(
    prompt.fields.map(({ name, isList }) => {
      const found = Object.hasOwn(findings, name) ? (findings[name] ?? null) : null;
      if (isList) return [name, listAnswer(found)];
      return [name, found === null || Array.isArray(found) ? NOTHING : found];
    }),
  );
}

function listAnswer(found: Findings[string]) {
  const elements = found === null ? [] : Array.isArray(found) ? found : [found];
  const [first] = elements as Finding<unknown>[];
  if (!first) return NOTHING;
  const mean = elements.reduce((sum, element) => sum + element.confidence, 0) / elements.length;
  return {
    value: elements.map(({ value, line, quote }) => ({ item: value, line, quote })),
    line: first.line,
    quote: first.quote,
    confidence: Math.round(mean * 100) / 100,
  };
}
