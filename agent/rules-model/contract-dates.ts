import { withWords } from './contract-words';
import { findDates } from './dates';
import { type Finding, finding, sureOnly } from './finding';
import type { Setting } from './language';
import type { RunningText } from './running-text';

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

/** When a contract takes effect and when it ends, where dates are printed. */
export function findContractDates(
  running: RunningText,
  setting: Setting,
): { effective: Finding<string> | null; expiration: Finding<string> | null } {
  return {
    effective: sureOnly(dateBehind(running, EFFECTIVE, setting)),
    expiration: sureOnly(dateBehind(running, EXPIRATION, setting)),
  };
}
