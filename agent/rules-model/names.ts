import { findDates } from './dates';
import { isLabelOnly, labelsOf } from './labels/match';
import type { Cell } from './page-text';

const LEGAL_FORM =
  /(?:^|[\s,])(?:gmbh|g\.m\.b\.h\.?|mbh|ag|kg|kgaa|ohg|ug|gbr|e\.\s?k\.?|e\.\s?u\.?|e\.\s?v\.?|se|ltd\.?|limited|llc|l\.l\.c\.?|inc\.?|incorporated|corp\.?|corporation|plc|llp|lp|sarl|s\.a\.r\.l\.?|sas|s\.a\.s\.?|sasu|eurl|scop|sci|snc|s\.n\.c\.?|s\.?a\.?|s\.?l\.?|s\.?l\.?u\.?|s\.l\.l\.?|s\.?p\.?a\.?|s\.?r\.?l\.?s?|s\.coop\.?|soc\.\s?coop\.?|b\.?v\.?(?:ba)?|n\.?v\.?|v\.?o\.?f\.?|sdn\.?\s?bhd\.?|bhd\.?|pty\.?(?:\s?ltd\.?)?|pte\.?(?:\s?ltd\.?)?|co\.|company|enterprise|& co|oy|ab|a\/s|aps|sp\. z o\.o\.)(?=$|[\s,.)&(])/i;

/** True where a name carries the form of a company, such as GmbH, S.r.l. or Ltd. */
export function hasLegalForm(name: string): boolean {
  return LEGAL_FORM.test(name);
}

const POSTAL = [
  /(?:^|[\s,(])(?:[A-Z]{1,3}[-\s])?\d{4,5}\s+\p{Lu}[\p{L}.'’-]+/u, // 80333 München, DE 80333 München, D-80333
  /(?:^|\s)\d{4}\s?[A-Z]{2}\s+\p{Lu}/u, // 3012 CN Rotterdam
  /\b[A-Z]{2}\.?,?\s+\d{4,5}[A-Z]?(?:-\d{4})?\b/, // Springfield, IL 62704
  /\b[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}\b/, // SW1A 1AA
  /\b[A-Z]\d[A-Z]\s?\d[A-Z]\d\b/, // N2B 1C6
];
const COUNTRY =
  /^(?:deutschland|germany|österreich|austria|schweiz|switzerland|suisse|france|frankreich|españa|spain|italia|italy|nederland|netherlands|belgique|belgië|belgium|united kingdom|uk|usa|united states|ireland|luxembourg|portugal|anytown, usa)$/i;
const STREET =
  /(?:stra(?:ß|ss)e|str\.|weg|platz|allee|gasse|ring|damm|ufer|chaussee)\s*\d|(?<![\p{L}\d])(?:street|st\.|road|rd\.?|avenue|ave\.?|lane|drive|dr\.|boulevard|blvd|way|court|close|square|suite|floor|unit|rue|chemin|place|route|impasse|allée|quai|calle|c\/|avda|avenida|plaza|paseo|carrer|carretera|via|viale|piazza|corso|largo|jalan|lorong|p\.?o\.? box|postfach|cedex)(?![\p{L}])/iu;
const CONTACT =
  /@|https?:|www\.|(?<!\p{L})(?:tel|fax|phone|mobil|email|e-mail)(?!\p{L})|\+\d{2}[\s(\d]|^\(?\d{3}\)?[\s.-]\d{3}[\s.-]\d{4}$/iu;

export function isPostalCity(text: string): boolean {
  return text.length <= 60 && POSTAL.some((pattern) => pattern.test(text));
}

export function isStreet(text: string): boolean {
  return (
    (STREET.test(text) || /^\d{1,5}[a-z]?,?\s+\p{L}|\p{L}\s+\d{1,4}\s?[a-z]?$/iu.test(text)) &&
    /\d/.test(text)
  );
}

export function isContact(text: string): boolean {
  return CONTACT.test(text);
}

const SALUTATION =
  /^(?:herrn?|frau|firma|fa\.|mr\.?|mrs\.?|ms\.?|m\.|mme|monsieur|madame|sr\.?|sra\.?|sig\.?(?:ra)?|spett\.?(?:le|abile)?|gent\.?(?:ma|mo|le)?|dhr\.?|mevr\.?|messrs\.?|egr\.?)\s*$/i;

/** True where a cell may be the name of a company or person: no label, address, number, date or sentence. */
export function isName(cell: Cell): boolean {
  const text = cell.text.trim();
  if (text.length < 2 || text.length > 90) return false;
  const letters = text.replace(/[^\p{L}]/gu, '').length;
  if (letters < 2 || letters < text.replace(/\s/g, '').length * 0.5) return false;
  if (isContact(text) || isPostalCity(text) || COUNTRY.test(text) || SALUTATION.test(text)) return false;
  if (/^\(|(?:details|information|address|adresse|daten|data|dati|datos)$/i.test(text)) return false;
  if (/[:!?=]|\d{5,}|%|[€$£]\s?\d/.test(text)) return false;
  // A sentence is no name; "Muster e. K." is.
  if (/\p{Ll}{2}\.$/u.test(text) && text.split(/\s+/).length > 3 && !hasLegalForm(text)) return false;
  if (isLabelOnly(cell) && !hasLegalForm(text)) return false;
  if (!/^[\p{Lu}\d"'„“«(&]/u.test(text) && !hasLegalForm(text) && !/^(?:de|van|von|di|d')/i.test(text))
    return false;
  if (isStreet(text) && !hasLegalForm(text)) return false;
  const label = labelsOf(cell).find((match) => match.startsCell);
  if (label && !hasLegalForm(text)) {
    const concepts = [
      'invoiceNumber',
      'otherNumber',
      'issueDate',
      'dueDate',
      'otherDate',
      'taxId',
      'bank',
      'contact',
      'terms',
      'gross',
      'due',
      'net',
      'tax',
    ] as const;
    const isLabelled =
      concepts.some((concept) => label.concepts.has(concept)) && /\d/.test(text.slice(label.to));
    if (isLabelled || (label.concepts.has('title') && /\d/.test(text))) return false;
  }
  return findDates(text, 'day-first').length === 0;
}

/** The name without what stands around it: labels, separators, brackets at the end. */
export function cleanName(text: string): string {
  return text
    .replace(/^[\s:;,\-\u2013•●·*]+/, '')
    .replace(
      /^(?:firma|fa\.|herrn?|frau|messrs\.?|spett\.?\s?(?:le|abile)?|mr\.|mrs\.|ms\.)\s+(?=\p{Lu})/iu,
      '',
    )
    .replace(/[\s:;,|•●·]+$/, '')
    .trim();
}

/** Letters and digits alone, for comparing names, domains and OCR's spacing. */
export function nameKey(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
