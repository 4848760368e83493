import { findDates } from './dates';
import { findCurrency } from './document-currency';
import { type Finding, finding, sureOnly } from './finding';
import { foldText } from './fold';
import type { Setting } from './language';
import { cleanName, hasLegalForm, isName } from './names';
import { decimalText, findNumbers, type NumberToken } from './numbers';
import type { DocumentText, Line } from './page-text';

export interface ReportFindings {
  readonly entity: Finding<string> | null;
  readonly period_end: Finding<string> | null;
  readonly currency: Finding<string> | null;
  readonly revenue: Finding<string> | null;
  readonly net_income: Finding<string> | null;
  readonly total_assets: Finding<string> | null;
}

/** Captions of statement lines, folded; earlier patterns are better. */
const REVENUE = [
  /^total (?:net )?(?:revenues?|sales)(?: and other income)?$|^total net sales$|^revenues?,? net$/,
  /^(?:net )?(?:revenues?|sales|turnover)$|^net (?:revenue|sales)$|^revenues? from contracts with customers$/,
  /^(?:\d{1,2}\.? )?umsatzerlose$|^umsatz$|^gesamtumsatz$|^konzernumsatz$|^umsatzerlose gesamt$/,
  /^chiffre d'affaires(?: net)?(?: total| consolide)?$|^total (?:des )?produits d'exploitation$|^montant net du chiffre d'affaires$|^produits des activites ordinaires$/,
  /^importe neto de la cifra de negocios?$|^ingresos(?: totales| ordinarios)?$|^cifra de negocios?$|^ventas(?: netas)?$|^total ingresos$/,
  /^ricavi(?: totali| netti)?(?: delle vendite(?: e delle prestazioni)?)?$|^totale ricavi$|^valore della produzione$|^fatturato$/,
  /^netto-?omzet$|^omzet$/,
] as const;
const NET_INCOME = [
  /^(?:consolidated )?net (?:income|earnings|profit)(?: ?\(loss\))?$|^net (?:income|profit|loss) for the (?:year|period|quarter)$|^profit for the (?:financial )?(?:year|period)$|^net loss$|^profit after tax(?:ation)?$/,
  /^net (?:income|earnings) (?:attributable|available) to .{1,60}$|^profit attributable to .{1,60}$/,
  /^(?:\d{1,2}\.? )?(?:konzern)?jahresuberschuss(?:\/-?fehlbetrag| ?\/ ?jahresfehlbetrag)?$|^konzernergebnis$|^ergebnis nach steuern$|^periodenergebnis$|^jahresfehlbetrag$|^konzerngewinn$|^nettoergebnis$/,
  /^resultat net(?: de l'(?:exercice|ensemble consolide)| part du groupe| consolide)?$|^benefice(?: net| de l'exercice)?(?: \(ou perte\))?$|^benefice ou perte$/,
  /^resultado (?:neto|del ejercicio|consolidado del ejercicio)(?: del periodo)?$|^beneficio neto$|^resultado del periodo$/,
  /^utile(?: netto)?(?: ?\(perdita\))?(?: (?:d'|dell')esercizio| del periodo| netto)?$|^risultato netto$|^utile \(perdita\) dell'esercizio$|^risultato d'esercizio$/,
  /^nettowinst$|^resultaat na belastingen$|^netto ?resultaat$/,
] as const;
const TOTAL_ASSETS = [
  /^total assets$/,
  /^bilanzsumme$|^summe (?:der )?aktiva$|^aktiva gesamt$|^gesamtvermogen$|^summe vermogenswerte$|^total aktiva$/,
  /^total (?:de l')?actif$|^total general(?: \(?actif\)?)?$|^total bilan$|^total des actifs$|^total de l'actif$/,
  /^total (?:del )?activos?$/,
  /^totale (?:dell')?attiv(?:o|ita)$/,
  /^totaal activa$|^balanstotaal$/,
] as const;

/** Values of a statement line: numbers behind its caption. Years, notes and percentages are no values. */
function valuesOf(line: Line, setting: Setting): { caption: string; values: NumberToken[] } | null {
  const text = line.text;
  const tokens = findNumbers(text, setting.decimalSign).filter(
    (token) => !token.isPercent && token.unit === null,
  );
  const [cell] = line.cells;
  const caption = /^[^\d$€£(]*[\p{L})]/u.exec(text.replace(/^\s*\d{1,2}\.\s/, ''))?.[0];
  if (!cell || !caption || tokens.length === 0) return null;
  const isLarge = (token: NumberToken) => token.value.abs().gte(100) || token.decimals > 0;
  // A first small number between caption and values is the number of a note.
  const values =
    tokens.length > 1 && tokens[0] && !isLarge(tokens[0]) && tokens[1] && isLarge(tokens[1])
      ? tokens.slice(1)
      : tokens;
  return {
    caption: foldText(caption)
      .replace(/[\s:.*$€£]+$/, '')
      .replace(/\s*\((?:note|anhang|en|in|eur|usd|\d)[^)]*\)$/, ''),
    values,
  };
}

interface Statement {
  readonly finding: Finding<string>;
  readonly rank: number;
}

const STATEMENT_HEAD =
  /statements? of (?:operations|income|earnings|financial position|profit|comprehensive income)|balance sheets?|income statement|profit and loss|gewinn- und verlustrechnung|bilanz|compte de resultat|bilan|cuenta de (?:resultados|perdidas)|balance (?:de situacion|consolidado)|conto economico|stato patrimoniale|selected financial data|financial highlights|kennzahlen/;

/** How far below the title of a statement its lines can stand. */
const STATEMENT_LINES = 60;

function findStatementLine(
  document: DocumentText,
  setting: Setting,
  captions: readonly RegExp[],
  heads: readonly number[],
): Finding<string> | null {
  let best: Statement | null = null;
  for (const line of document.lines) {
    const read = valuesOf(line, setting);
    const [first] = read?.values ?? [];
    if (!read || !first || read.caption.length > 80) continue;
    const position = captions.findIndex((caption) => caption.test(read.caption));
    if (position === -1) continue;
    const isInStatement = heads.some((head) => line.index > head && line.index - head <= STATEMENT_LINES);
    const isYear =
      first.decimals === 0 &&
      first.value.gte(1990) &&
      first.value.lte(2100) &&
      !/[.,]/.test(line.text.slice(first.start, first.end));
    if (isYear) continue;
    const rank =
      (isInStatement ? 2 : 0) +
      (read.values.length >= 2 ? 1 : 0) -
      (captions === NET_INCOME || captions === REVENUE ? ([0, 0.5, 0, 0, 0, 0, 0][position] ?? 0) : 0);
    if (best && rank <= best.rank) continue;
    const confidence = 0.55 + (isInStatement ? 0.25 : 0) + (read.values.length >= 2 ? 0.1 : 0);
    best = {
      finding: finding(decimalText(first), line, line.text.slice(first.start, first.end).trim(), confidence),
      rank,
    };
  }
  return best?.finding ?? null;
}

const PERIOD: readonly (readonly [RegExp, number])[] = [
  [
    /(?:fiscal |financial )?(?:quarter|year|period|months|half-year|quarterly period|weeks)(?: of the fiscal year)? end(?:ed|ing)(?: on)?[\s:]*/,
    0.93,
  ],
  [/\b(?:as of|as at|at)\s/, 0.7],
  [/geschaftsjahr (?:vom .{6,24} )?(?:bis )?(?:zum )?|\bzum\s|\bper\s|\bbis zum\s|\bstichtag\b[\s:]*/, 0.75],
  [/exercice (?:clos|cloture|social clos) (?:le|au)\s|\barrete(?:s)? au\s|\bau\s/, 0.8],
  [/ejercicio (?:anual )?(?:terminado|finalizado|cerrado) (?:el|a)\s|\bal?\s(?=\d{1,2} de)/, 0.8],
  [/esercizio (?:chiuso|al|che si chiude) (?:il|al)?\s?|\bal\s(?=\d{1,2} )/, 0.8],
  [/boekjaar (?:eindigend op|geeindigd op)\s|\bper\s/, 0.75],
];

function findPeriodEnd(document: DocumentText, setting: Setting): Finding<string> | null {
  const lines = document.lines.slice(0, 400);
  for (const [pattern, confidence] of PERIOD) {
    for (const line of lines) {
      const folded = foldText(line.text);
      const match = pattern.exec(folded);
      if (!match) continue;
      const rest = folded.slice(match.index + match[0].length, match.index + match[0].length + 40);
      const [date] = findDates(rest, setting.dateOrder);
      if (date && date.start <= 3) {
        const quote = rest.slice(date.start, date.end);
        const printed = findDates(line.text, setting.dateOrder).find((other) => other.iso === date.iso);
        return finding(
          date.iso,
          line,
          printed ? line.text.slice(printed.start, printed.end) : quote,
          confidence,
        );
      }
    }
  }
  return null;
}

/** The organisation: the name over "Exact name of registrant", one with a legal form, or an agency at the head. */
function findEntity(document: DocumentText): Finding<string> | null {
  const head = document.lines.slice(0, 60);
  for (const line of head) {
    if (!/exact name of (?:the )?(?:registrant|company)|name of (?:the )?registrant/i.test(line.text))
      continue;
    const above = document.lines[line.index - 1];
    if (above) return finding(cleanName(above.text), above, above.text.trim(), 0.95);
  }
  let best: { name: string; line: Line; score: number } | null = null;
  for (const [position, line] of head.entries()) {
    for (const cell of line.cells) {
      const [first = ''] = cell.text.split(/\s+[-\u2013|•·]\s+/);
      if (!isName(cell)) continue;
      let score = -position * 0.01;
      if (hasLegalForm(first)) score += 0.75;
      else if (
        /^(?:(?:united states|u\.?s\.?) |the )?.*\b(?:office of|agency|department|ministry|bank|group|gruppe|commission|authority|foundation|stiftung|university)\b/i.test(
          first,
        ) &&
        first.length < 80
      )
        score += 0.55;
      const name = cleanName(first);
      const count = document.lines.slice(0, 600).filter((other) => other.text.includes(name)).length;
      score += Math.min(count, 6) * 0.03;
      if (!best || score > best.score) best = { name, line, score };
    }
  }
  return best && best.score >= 0.5 ? finding(best.name, best.line, best.name, best.score) : null;
}

/** All fields of a financial report; amounts are given in the unit of the page (thousands, millions), as printed. */
export function findReportFields(document: DocumentText, setting: Setting): ReportFindings {
  const heads = document.lines
    .filter(
      (line) => line.cells.length <= 3 && line.text.length < 200 && STATEMENT_HEAD.test(foldText(line.text)),
    )
    .map((line) => line.index);
  return {
    entity: sureOnly(findEntity(document)),
    period_end: sureOnly(findPeriodEnd(document, setting)),
    currency: findCurrency(document, setting),
    revenue: findStatementLine(document, setting, REVENUE, heads),
    net_income: findStatementLine(document, setting, NET_INCOME, heads),
    total_assets: findStatementLine(document, setting, TOTAL_ASSETS, heads),
  };
}
