import { findDates } from './dates';
import { type Finding, finding } from './finding';
import { isContact, isPostalCity } from './names';
import type { DocumentText, Line } from './page-text';

const HEAD_LINES = 14;
const TITLE_WORDS =
  /agreement|contract|lease|deed|report|plan|statement|letter|notice|certificate|minutes|policy|form|abrechnung|vertrag|vereinbarung|bericht|bescheid|mitteilung|protokoll|bestätigung|angebot|rechnung|contrat|accord|rapport|attestation|lettre|relevé|contrato|acuerdo|informe|certificado|acta|contratto|accordo|relazione|verbale|certificato|overeenkomst|verslag|invoice|offer|order|memorandum|addendum|amendment/i;

function isTitleText(text: string): boolean {
  if (text.length < 4 || text.length > 120 || isContact(text) || isPostalCity(text)) return false;
  const letters = text.replace(/[^\p{L}]/gu, '').length;
  if (letters < text.length * 0.5 || /[.:;,]$/.test(text)) return false;
  return findDates(text, 'day-first').length === 0;
}

function scoreOf(line: Line, position: number): number {
  const text = line.text.trim();
  let score = 0.5 - position * 0.02;
  if (text === text.toUpperCase()) score += 0.15;
  if (TITLE_WORDS.test(text)) score += 0.25;
  if (line.gapAbove) score += 0.03;
  const [cell] = line.cells;
  if (line.cells.length === 1 && cell && cell.start >= 20) score += 0.1;
  if (line.cells.length > 1) score -= 0.3;
  // A sentence is no title.
  if (/\p{Ll}{3,}\s+(?:is|are|was|has|der|die|das|est|es|è)\s/u.test(text)) score -= 0.3;
  return score;
}

/** The title: a short line at the head of the first page, centred, in capitals or with a word that titles have. */
export function findTitle(document: DocumentText): Finding<string> | null {
  let best: { line: Line; score: number } | null = null;
  for (const [position, line] of (document.pages[0] ?? []).slice(0, HEAD_LINES).entries()) {
    if (!isTitleText(line.text.trim())) continue;
    const score = scoreOf(line, position);
    if (!best || score > best.score) best = { line, score };
  }
  if (!best || best.score < 0.5) return null;
  const title = best.line.text.trim().replace(/\s+/g, ' ');
  return finding(title, best.line, title, best.score);
}
