import { foldText } from './fold';
import type { Concept } from './labels/concepts';
import { findLabels } from './labels/match';
import { settingOf } from './language';
import type { DocumentText } from './page-text';
import { findTableHeads } from './table-head';

/** Words that speak for a kind, folded, with their points. Each counts a few times at most. */
const WORDS: Readonly<Record<string, readonly (readonly [RegExp, number])[]>> = {
  contract: [
    [/\bthis (?:[a-z]+ ){0,4}(?:agreement|contract|lease|deed)\b/g, 4],
    [/\b(?:agreement|contract)\b/g, 0.5],
    [/\bby and between\b|\bbetween the (?:under)?signed\b|\bparties (?:here(?:to|by)|agree)\b/g, 3],
    [/\bwhereas\b|\bhereinafter\b|\bhereby\b|\bhereto\b|\bhereunder\b|\bherein\b/g, 1.2],
    [/\bgovern(?:ed|ing) (?:by|law)\b|\bin witness whereof\b|\beffective date\b/g, 2.5],
    [/\b[a-z]*vertrag(?:es|s)?\b/g, 1.5],
    [
      /\bvertragsparteien\b|\bnachfolgend\b|\bim folgenden\b|\bgerichtsstand\b|\bes gilt (?:das )?(?:deutsches )?recht\b|\bvertragsgegenstand\b/g,
      2,
    ],
    [
      /\b(?:arbeits|miet|kauf|dienst(?:leistungs)?|werk|rahmen|lizenz|darlehens|geheimhaltungs)vertrag\b|\bvereinbarung zwischen\b/g,
      4,
    ],
    [/\bentre les soussignes\b|\bil a ete convenu\b|\bci-apres\b|\bdroit applicable\b|\bles parties\b/g, 2.5],
    [/\bcontrat (?:de|d')\b|\bcontrato (?:de|d)\b|\bcontratto (?:di|d')\b/g, 3],
    [
      /\breunidos\b|\bexponen\b|\bclausulas\b|\bde una parte\b|\bde otra parte\b|\blas partes\b|\ben adelante\b|\blegislacion aplicable\b/g,
      2,
    ],
    [
      /\bdi seguito\b|\btra le parti\b|\ble parti\b|\bpremesso che\b|\blegge applicabile\b|\bforo competente\b/g,
      2,
    ],
    [/\bovereenkomst\b|\bpartijen\b|\bhierna te noemen\b|\btoepasselijk recht\b/g, 2],
  ],
  'financial-report': [
    [/\bform 10-[kq]\b|\bform 20-f\b/g, 6],
    [/\b(?:annual|quarterly|interim|half-year(?:ly)?) (?:financial )?report\b/g, 2.5],
    [
      /\bbalance sheets?\b|\bstatements? of (?:financial position|operations|income|comprehensive income|cash flows|profit)\b/g,
      2.5,
    ],
    [
      /\bnet income\b|\btotal assets\b|\bshareholders'? equity\b|\bstockholders'? equity\b|\btotal revenues?\b|\bnet sales\b|\bfiscal year\b/g,
      1,
    ],
    [/\b(?:consolidated|condensed) (?:financial )?statements?\b|\bsecurities and exchange commission\b/g, 3],
    [
      /\bjahresabschluss\b|\bkonzernabschluss\b|\bbilanz\b|\bbilanzsumme\b|\bgewinn- und verlustrechnung\b|\bjahresuberschuss\b|\bgeschaftsbericht\b|\bhalbjahresbericht\b|\blagebericht\b|\bkonzernlagebericht\b|\bquartalsmitteilung\b/g,
      2.5,
    ],
    [/\bumsatzerlose\b|\bgeschaftsjahr\b/g, 1],
    [
      /\bcompte de resultat\b|\bbilan\b|\bcomptes (?:annuels|consolides)\b|\brapport (?:annuel|financier)\b|\btotal (?:de l')?actif\b|\bresultat net\b|\bchiffre d'affaires\b|\betats financiers\b/g,
      2,
    ],
    [
      /\bcuentas anuales\b|\bbalance de situacion\b|\bcuenta de (?:resultados|perdidas y ganancias)\b|\binforme (?:anual|financiero)\b|\btotal activo\b|\bimporte neto de la cifra de negocios\b|\bestados financieros\b/g,
      2.5,
    ],
    [
      /\bconto economico\b|\bstato patrimoniale\b|\bbilancio\b|\brelazione finanziaria\b|\btotale attivo\b|\butile netto\b/g,
      2,
    ],
    [/\bjaarrekening\b|\bjaarverslag\b|\bbalans\b|\bwinst- en verliesrekening\b/g, 2.5],
  ],
  invoice: [
    [/\b(?:tax )?invoice\b|\bcredit (?:note|memo)\b|\breceipt\b/g, 1.2],
    [/\brechnung\b|\bgutschrift\b|\bquittung\b|\bkassenbon\b/g, 1.2],
    [/\bfacture\b|\bavoir\b|\bticket de caisse\b/g, 1.2],
    [/\bfactura\b|\brecibo\b|\bfattura\b|\bnota di credito\b|\bscontrino\b|\bfactuur\b|\bcreditnota\b/g, 1.2],
    [
      /\bbill to\b|\bamount due\b|\bbalance due\b|\biban\b|\bpayment terms\b|\bzahlbar\b|\bnet a payer\b/g,
      1.5,
    ],
    [/\bchange due\b|\bcash\b|\bcashier\b|\bgst\b/g, 0.7],
  ],
};

const MAX_COUNT = 5;
const MAX_CHARACTERS = 60_000;
const LABEL_POINTS: readonly (readonly [Concept, number])[] = [
  ['invoiceNumber', 3],
  ['dueDate', 1],
  ['net', 1],
  ['tax', 1],
  ['gross', 1],
  ['due', 1],
  ['buyer', 0.5],
];

function invoicePoints(document: DocumentText): number {
  const lines = document.lines.slice(0, 250);
  let points = 0;
  for (const [concept, weight] of LABEL_POINTS) {
    if (findLabels(lines, concept).some((match) => match.startsCell && match.weight > 2)) points += weight;
  }
  const hasTitle = findLabels(lines.slice(0, 25), 'title').some((match) => match.startsCell);
  if (hasTitle) points += 3;
  const hasTable = findTableHeads({ ...document, lines }, settingOf(document)).length > 0;
  return points + (hasTable ? 3 : 0);
}

/** Which of the kinds a document is, and how sure that is. Without enough evidence it is `general`. */
export function classify(
  document: DocumentText,
  kinds: readonly string[],
): { documentType: string; confidence: number } {
  let text = '';
  for (const line of document.lines) {
    text += `${foldText(line.text)} `;
    if (text.length > MAX_CHARACTERS) break;
  }
  const scores = new Map<string, number>();
  for (const kind of kinds) {
    let score = kind === 'general' ? 5 : 0;
    for (const [pattern, points] of WORDS[kind] ?? []) {
      score += Math.min(text.match(pattern)?.length ?? 0, MAX_COUNT) * points;
    }
    if (kind === 'invoice') score += invoicePoints(document);
    scores.set(kind, score);
  }
  // A long document with one word of an invoice here and there is none.
  const invoice = scores.get('invoice');
  if (invoice !== undefined && document.pageCount > 12) scores.set('invoice', invoice / 2);
  const [best, second] = [...scores].sort((a, b) => b[1] - a[1]);
  const documentType = best?.[0] ?? kinds[0] ?? 'general';
  const lead = (best?.[1] ?? 0) - (second?.[1] ?? 0);
  const confidence = Math.min(0.5 + lead * 0.04, 0.98);
  return { documentType, confidence: Math.round(confidence * 100) / 100 };
}
