import { findDates } from './dates';
import { type Finding, finding, sureOnly } from './finding';
import type { Setting } from './language';
import { cleanName, hasLegalForm, isContact } from './names';
import type { DocumentText } from './page-text';
import { type RunningText, runningText } from './running-text';
import { findTitle } from './title';

export interface ContractFindings {
  readonly title: Finding<string> | null;
  readonly parties: readonly Finding<string>[];
  readonly effective_date: Finding<string> | null;
  readonly expiration_date: Finding<string> | null;
  readonly governing_law: Finding<string> | null;
}

/** `\\b` knows ASCII letters only: "finalizará" would not end where it ends. */
function withWords(pattern: RegExp): RegExp {
  const boundary = '(?:(?<=[\\p{L}\\p{N}])(?![\\p{L}\\p{N}])|(?<![\\p{L}\\p{N}])(?=[\\p{L}\\p{N}]))';
  return new RegExp(
    pattern.source.replaceAll('\\b', boundary),
    [...new Set([...pattern.flags, 'u'])].join(''),
  );
}

/** A date stands at most this many characters behind the words that announce it. */
const REACH = 90;

function dateBehind(
  running: RunningText,
  patterns: readonly (readonly [RegExp, number])[],
  setting: Setting,
): Finding<string> | null {
  for (const [pattern, confidence] of patterns) {
    for (const match of running.text.matchAll(withWords(pattern))) {
      const from = match.index + match[0].length;
      const reach = running.text.slice(from, from + REACH);
      const sentence = reach.split(/(?<!\d)\.\s+(?=[A-ZÄÖÜ])|;/)[0] ?? reach;
      const [date] = findDates(sentence, setting.dateOrder);
      if (!date) continue;
      const quote = sentence.slice(date.start, date.end);
      return finding(date.iso, running.lineAt(from + date.start), quote, confidence);
    }
  }
  return null;
}

const EFFECTIVE: readonly (readonly [RegExp, number])[] = [
  [/\beffective (?:date|as of|from|on)\b[\s:"“”()]*|\bwith effect (?:from|as of)\b/gi, 0.9],
  [
    /\b(?:is|was|are) (?:made|entered into|dated|executed|concluded)(?: and entered into)?(?: (?:as of|on|this|effective))*\b/gi,
    0.88,
  ],
  [
    /\b(?:dated|as of|entered into on|commence(?:s|ment date)?(?: on)?|start date|commencing on|begins? on)\b[\s:]*/gi,
    0.75,
  ],
  [
    /\b(?:tritt|gilt|beginnt|in kraft)\b(?: (?:am|ab|zum|in kraft|mit wirkung))*|\bmit wirkung (?:vom|ab|zum)\b|\bvertragsbeginn\b[\s:]*|\b(?:wirksam|gültig) ab\b|\bab dem\b|\bbeginn\b[\s:]*/gi,
    0.85,
  ],
  [
    /\b(?:prend effet|entre en vigueur|prendra effet)\b(?: (?:le|à compter du|au))*|\bà compter du\b|\bdate d['’](?:effet|entrée en vigueur)\b[\s:]*/gi,
    0.87,
  ],
  [
    /\b(?:entrará? en vigor|surt(?:e|irá) efectos?|vigencia desde|a partir del?|fecha de (?:inicio|entrada en vigor|efecto))\b[\s:]*/gi,
    0.85,
  ],
  [
    /\b(?:decorr(?:e|enza|ere)|entra in vigore|con effetto dal?|data di (?:decorrenza|efficacia|inizio)|a partire dal)\b[\s:]*/gi,
    0.85,
  ],
  [/\b(?:ingaand(?:e)? (?:op|per)|ingangsdatum|treedt in werking op|met ingang van)\b[\s:]*/gi, 0.85],
  [
    /\b(?:geschlossen am|unterzeichnet am|vom|fait (?:à [\p{L} -]+,? )?le|fecha|en [\p{L} ]{3,20}, a|in data|addì|datum|date)\b[\s:]*/giu,
    0.6,
  ],
];

const EXPIRATION: readonly (readonly [RegExp, number])[] = [
  [
    /\b(?:expir(?:es?|ation(?: date)?|y(?: date)?)|terminat(?:es|ion date)|end(?:s|ing)?(?: date)?|shall (?:expire|terminate|end)|remain in (?:full )?force(?: and effect)? until|continue until|valid until|until)\b(?: (?:on|as of|at|automatically|through))*[\s:]*/gi,
    0.85,
  ],
  [
    /\b(?:endet|läuft bis|befristet bis|gültig bis|laufzeit bis|vertragsende|bis zum|endet automatisch)\b(?: (?:am|mit ablauf des|zum))*[\s:]*/gi,
    0.85,
  ],
  [
    /\b(?:prend(?:ra)? fin|expire(?:ra)?|jusqu['’]au|se termine(?:ra)?|date (?:de fin|d['’]expiration|d['’]échéance))\b(?: le)?[\s:]*/gi,
    0.85,
  ],
  [
    /\b(?:finaliza(?:rá)?|hasta el|vence(?:rá)?|expira(?:rá)?|terminará|fecha de (?:fin|finalización|vencimiento|terminación))\b(?: el)?[\s:]*/gi,
    0.85,
  ],
  [
    /\b(?:scad(?:e|rà|enza)|fino al|termin(?:a|erà)|cess(?:a|erà)|data di (?:fine|scadenza|cessazione))\b(?: il)?[\s:]*/gi,
    0.85,
  ],
  [/\b(?:eindigt op|einddatum|loopt tot|geldig tot|tot en met)\b[\s:]*/gi, 0.85],
];

const PLACE =
  "((?:the )?(?:(?:State|Commonwealth|Province|Republic|Country|Kingdom|Federal Republic|laws?) of )?(?:the )?\\p{Lu}[\\p{L}.'’-]*(?:(?: and| of| de la| de| du)? \\p{Lu}[\\p{L}.'’-]*){0,4})";
const LAW: readonly (readonly [RegExp, number])[] = [
  [
    new RegExp(`\\bgoverned[^.;]{0,80}?\\blaws? (?:in force in |applicable in )?of (?:the )?${PLACE}`, 'giu'),
    0.93,
  ],
  [new RegExp(`\\b(?:under|by|with) (?:the )?(?:substantive )?laws? of (?:the )?${PLACE}`, 'giu'), 0.85],
  [/\bgoverned[^.;]{0,60}?\b(?:by|under) (?:the )?(\p{Lu}[\p{L}]+) law\b/gu, 0.9],
  [/\bgoverning law[\s:.]+(?:the )?(?:laws? of )?(?:the )?(\p{Lu}[\p{L}]+(?: \p{Lu}[\p{L}]+){0,3})/gu, 0.8],
  [/\brecht (?:der|des|von) (\p{Lu}[\p{L}]+(?: \p{Lu}[\p{L}]+)?)/giu, 0.88],
  [
    /\b(deutsches|deutschem|österreichisches|österreichischem|schweizerisches|schweizerischem|schweizer|liechtensteinisches) recht\b/giu,
    0.9,
  ],
  [
    /\bdroit (français|belge|suisse|luxembourgeois|anglais|allemand|québécois|néerlandais|italien|espagnol)/giu,
    0.9,
  ],
  [
    /\b(?:legislación|ley(?:es)?|derecho) (española?|español|mexicana?|argentina?|colombiana?|chilena?|alemana|francesa|inglesa)/giu,
    0.9,
  ],
  [/\b(?:leyes|legislación) (?:de|del) (\p{Lu}[\p{L}]+)/gu, 0.85],
  [
    /\b(?:legge|diritto|legislazione) (italiana|italiano|svizzera|svizzero|francese|tedesca|tedesco|inglese|spagnola)/giu,
    0.9,
  ],
  [/\b(nederlands|belgisch) recht\b/giu, 0.9],
];

const ADJECTIVE =
  /^(?:english|german|french|swiss|austrian|dutch|belgian|italian|spanish|irish|scottish|deutsche[sm]|österreichische[sm]|schweizer(?:ische[sm])?)$/i;

/** As many words of a value as stand on the line where it begins. */
function quoteIn(line: string, value: string): string {
  const words = value.split(' ');
  for (let count = words.length; count > 1; count--) {
    const part = words.slice(0, count).join(' ');
    if (line.includes(part)) return part;
  }
  return words[0] ?? value;
}

/** The adjective with its noun as they stand in the sentence. */
function lawOf(words: string, adjective: string): string {
  const noun = /(?:law|recht|droit|legislación|ley(?:es)?|derecho|legge|diritto|legislazione)/iu;
  const found = new RegExp(`(?:${noun.source} ${adjective}|${adjective} ${noun.source})`, 'iu').exec(words);
  return found?.[0] ?? adjective;
}

/** The law as printed, such as `New York`, `England and Wales` or `deutsches Recht`. */
function governingLaw(running: RunningText): Finding<string> | null {
  for (const [pattern, confidence] of LAW) {
    for (const match of running.text.matchAll(withWords(pattern))) {
      const place = (match[1] ?? '')
        .replace(/^(?:the )?(?:State|Commonwealth|Province|Country|laws?) of (?:the )?/i, '')
        .replace(/^the /i, '')
        .replace(/[.,]+$/, '')
        .replace(/\s+(?:Without|The|This|Any|Each|Section|And|Article)$/, '')
        .trim();
      if (place.length < 3) continue;
      // "droit français", "English law": the adjective alone would not be a name.
      const isAdjective = /^\p{Ll}/u.test(place) || ADJECTIVE.test(place);
      const value = isAdjective ? lawOf(match[0], place) : place;
      const at = match.index + match[0].lastIndexOf(match[1] ?? '');
      const words = running.lineAt(at);
      // The name may be broken over two lines; the quote is the part on the first.
      const quote = words ? quoteIn(words.text, value) : value;
      return finding(value, words, quote, confidence);
    }
  }
  return null;
}

const NAME_WORD = "[\\p{Lu}\\d][\\p{L}\\p{N}.&'’+/-]*";
const FORM = '(?:Inc|LLC|L\\.L\\.C|Ltd|Limited|Corp|LLP|LP|S\\.?A|S\\.?L|PLC|Co)\\b\\.?';
/** Words that begin with capitals; a comma belongs to the name only before a legal form. */
const NAME = `${NAME_WORD}(?: (?:(?:&|and|und|et|y|e|of|de|del|della|du|des|van|von|der|zu|la|le) )?${NAME_WORD}){0,7}(?:, ${FORM})?`;
const ARTICLE =
  "(?:(?:the|die|der|das|den|dem|la|le|l['’]|el|il|lo) )?(?:(?:société|sociedad|società|entreprise|empresa|firma|company|mercantil) )?(?:(?:D|Dña|Don|Doña|Sr|Sra|Sig|Sig\\.ra|Herrn?|Frau|M|Mme|Monsieur|Madame|Mr|Ms|Mrs|Dr)\\.? )?";
const BETWEEN =
  /\b(?:by and between|by and among|between|zwischen(?: (?:der|dem|den))?|entre(?: les soussignés)?|tra|fra|tussen)\b[\s:,]*/giu;

function trimName(name: string): string {
  return cleanName(name)
    .replace(
      /^(?:the |(?:\(?\d\)|\d\.)\s*|(?:der|die|das|la société|la sociedad|la società|l['’]entreprise|la empresa|de una parte,?|por una parte,?) )/iu,
      '',
    )
    .replace(
      /[,.]?\s+(?:a|an|eine?|une?|una?|located|having|with|whose|residing|ansässig|mit sitz|vertreten|dont|con|domiciliad[ao]|con sede)$/iu,
      '',
    )
    .replace(/(?<!\b(?:Inc|Ltd|Co|Corp|S\.A|S\.L|S\.p\.A|S\.r\.l|B\.V|N\.V|L\.P))\.$/u, '')
    .trim();
}

/** A part of a pattern in which case does not matter: articles may begin a line. */
function insensitive(part: string): string {
  return part.replace(/(?<![\\\p{L}])\p{Ll}/gu, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

/** "De una parte, … De otra parte, …". */
const SIDES = [/\b(?:de|por) una parte,?\s*/iu, /\b(?:de|por) (?:la )?otra(?: parte)?,?\s*/iu] as const;

function partiesOfSides(running: RunningText): Finding<string>[] {
  return SIDES.flatMap((side) => {
    const match = side.exec(running.text.slice(0, 12_000));
    if (!match) return [];
    const from = match.index + match[0].length;
    return namesIn(running.text.slice(from, from + 120), from, running).slice(0, 1);
  });
}

/** Names behind "between", up to the word in brackets or the description of each. */
function partiesBetween(running: RunningText): Finding<string>[] {
  for (const match of running.text.matchAll(withWords(BETWEEN))) {
    const from = match.index + match[0].length;
    if (from > 12_000) break;
    const reach = running.text.slice(from, from + 900);
    const found = namesIn(reach, from, running);
    if (found.length >= 2) return found;
  }
  return [];
}

function namesIn(reach: string, from: number, running: RunningText): Finding<string>[] {
  const found: Finding<string>[] = [];
  const add = (raw: string, at: number, confidence: number) => {
    const name = trimName(raw);
    if (name.length < 3 || name.length > 90 || isContact(name)) return;
    if (found.some((other) => other.value === name)) return;
    const line = running.lineAt(from + at);
    const quote = line ? quoteIn(line.text, name) : name;
    found.push(finding(name, line, quote, confidence));
  };
  const first = new RegExp(`^${insensitive(ARTICLE)}(${NAME})`, 'u').exec(reach);
  if (first?.[1]) add(splitAtAnd(first[1]), first[0].indexOf(first[1]), hasLegalForm(first[1]) ? 0.92 : 0.8);
  const next = new RegExp(
    `(?:\\band|\\bund(?: (?:der|dem))?|\\bet|\\by|\\be|\\ben|;|\\b\\(?2\\)|\\bAND|\\bUND|\\bET|\\bY|\\bE)[\\s:,\\-\u2013]+${insensitive(ARTICLE)}(${NAME})`,
    'gu',
  );
  for (const match of reach.matchAll(next)) {
    const raw = match[1] ?? '';
    const tail = reach.slice(match.index + match[0].length, match.index + match[0].length + 60);
    // A party is followed by what it is called, what it is, or where it sits.
    const isIntroduced =
      /^[\s,]*(?:\(|,|a |an |with |located|having|vertreten|ansässig|mit |dont|ayant|représentée|con |domiciliad|hereinafter|nachfolgend|ci-après|en adelante|di seguito|hierna|\.)/iu.test(
        tail,
      );
    if (!hasLegalForm(raw) && !isIntroduced) continue;
    if (/^(?:existing|Licensee|Licensor|The|This)\b/u.test(raw)) continue;
    add(raw, match.index + match[0].lastIndexOf(raw), hasLegalForm(raw) ? 0.92 : 0.7);
    if (found.length >= 2) break;
  }
  return found;
}

/** "Alpha Ltd and Beta Inc" caught as one name is two. */
function splitAtAnd(name: string): string {
  const [left = name, right] = name.split(/ (?:and|und|et|y|e) /u, 2);
  return right !== undefined && hasLegalForm(left) ? left : name;
}

const ROLE_LABELS =
  /^(?:party [ab12]|first party|second party|licensor|licensee|landlord|tenant|lessor|lessee|seller|buyer|client|customer|contractor|service provider|consultant|employer|employee|company|supplier|vermieter|mieter|auftraggeber|auftragnehmer|arbeitgeber|arbeitnehmer|käufer|verkäufer|lizenzgeber|lizenznehmer|bailleur|locataire|preneur|prestataire|le client|l['’]employeur|arrendador|arrendatario|prestador|cliente|proveedor|locatore|conduttore|committente|fornitore|verhuurder|huurder|opdrachtgever|opdrachtnemer)\s*:\s*(.{3,90})$/iu;

function partiesByRole(document: DocumentText): Finding<string>[] {
  const found: Finding<string>[] = [];
  for (const line of document.lines.slice(0, 120)) {
    const text = line.text.trim().replace(/\s{2,}/g, ' ');
    const match = ROLE_LABELS.exec(text);
    const name = match?.[1] ? trimName(match[1].split(/,| \(/)[0] ?? '') : '';
    if (name.length >= 3 && /\p{Lu}/u.test(name) && !found.some((other) => other.value === name)) {
      found.push(finding(name, line, name, 0.8));
    }
  }
  return found.length >= 2 ? found.slice(0, 4) : [];
}

/** All fields of a contract. */
export function findContractFields(document: DocumentText, setting: Setting): ContractFindings {
  const running = runningText(document);
  const between = partiesBetween(running);
  return {
    title: findTitle(document),
    parties:
      [between, partiesOfSides(running), partiesByRole(document)].find((found) => found.length >= 2) ?? [],
    effective_date: sureOnly(dateBehind(running, EFFECTIVE, setting)),
    expiration_date: sureOnly(dateBehind(running, EXPIRATION, setting)),
    governing_law: governingLaw(running),
  };
}
