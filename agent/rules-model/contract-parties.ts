import { quoteIn, withWords } from './contract-words';
import { type Finding, finding } from './finding';
import { cleanName, hasLegalForm, isContact } from './names';
import type { DocumentText } from './page-text';
import type { RunningText } from './running-text';

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

/** The contracting parties: named in the preamble, or by their roles. */
export function findContractParties(document: DocumentText, running: RunningText): Finding<string>[] {
  const between = partiesBetween(running);
  return [between, partiesOfSides(running), partiesByRole(document)].find((found) => found.length >= 2) ?? [];
}
