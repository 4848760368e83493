import { type Finding, finding, sureOnly } from './finding';
import { hasLegalForm, nameKey } from './names';
import type { DocumentText } from './page-text';
import type { PartyCandidate } from './party-candidate';
import { findPartyCandidates } from './party-candidates';

interface Rated {
  readonly candidate: PartyCandidate;
  readonly key: string;
  readonly seller: number;
  readonly buyer: number;
}

const MIN_SELLER = 3;
const MIN_SELLER_BESIDE = 1.8;
const MIN_BUYER = 2;
const SHOP_LINES = 8;
/** Points of a buyer whom a heading names. */
const HEADED = 4;

/** Domains of mail and web addresses on the page, letters and digits only. */
function domainsOf(document: DocumentText): string[] {
  const domains = new Set<string>();
  for (const line of document.lines.slice(0, 200)) {
    for (const match of line.text.matchAll(
      /(?:@|www\.|https?:\/\/(?:www\.)?)([\p{L}\p{N}-]{3,60})\.\p{L}{2,}/giu,
    )) {
      domains.add(nameKey(match[1] ?? ''));
    }
  }
  for (const provider of [
    'gmail',
    'outlook',
    'hotmail',
    'yahoo',
    'gmx',
    'web',
    'icloud',
    'example',
    'email',
    'mail',
    'fake',
  ])
    domains.delete(provider);
  return [...domains];
}

/** True where a domain looks like the name: one contains the other, or the first word of it. */
function fitsDomain(name: string, domains: readonly string[]): boolean {
  const key = nameKey(name);
  const words = name
    .split(/[\s,.&-]+/)
    .map(nameKey)
    .filter((word) => word.length >= 4);
  return domains.some(
    (domain) =>
      domain.length >= 4 &&
      (key.includes(domain) ||
        words.some((word) => domain.includes(word)) ||
        (key.length >= 4 && domain.includes(key))),
  );
}

/** Adds up what several candidates of the same name say. */
function merge(candidates: readonly PartyCandidate[], document: DocumentText): Rated[] {
  const domains = domainsOf(document);
  const groups = new Map<string, PartyCandidate[]>();
  for (const candidate of candidates) {
    const key = nameKey(candidate.name);
    if (key.length < 2) continue;
    groups.set(key, [...(groups.get(key) ?? []), candidate]);
  }
  return [...groups].map(([key, group]) => {
    const [first] = group as [PartyCandidate, ...PartyCandidate[]];
    let seller = combine(group.map((candidate) => candidate.seller));
    let buyer = combine(group.map((candidate) => candidate.buyer));
    if (hasLegalForm(first.name)) [seller, buyer] = [seller + 0.4, buyer + 0.3];
    if (fitsDomain(first.name, domains)) [seller, buyer] = [seller + 2.2, buyer - 0.3];
    const best = group.reduce((a, b) => (Math.max(b.seller, b.buyer) > Math.max(a.seller, a.buyer) ? b : a));
    return { candidate: best, key, seller, buyer };
  });
}

/** The strongest hint counts in full, further ones a little; what speaks against counts in full. */
function combine(points: readonly number[]): number {
  const positive = points.filter((point) => point > 0).sort((a, b) => b - a);
  const negative = Math.min(0, ...points);
  return (positive[0] ?? 0) + positive.slice(1, 3).reduce((sum, point) => sum + point * 0.4, 0) + negative;
}

function confidenceOf(points: number, rival: number): number {
  const lead = points - Math.max(rival, 0);
  return Math.min(0.5 + points * 0.05 + Math.min(lead, 3) * 0.05, 0.95);
}

/**
 * Names of the two sides; null where the page does not show them.
 * @param tableStart index of the line where the table of positions starts: goods are no parties; a receipt names its
 *   seller at the top and mostly no buyer
 */
export function findParties(
  document: DocumentText,
  { tableStart = Number.POSITIVE_INFINITY, isReceipt = false } = {},
): {
  seller: Finding<string> | null;
  buyer: Finding<string> | null;
} {
  const rated = merge(findPartyCandidates(document, tableStart), document).map((party) =>
    // A receipt begins with the shop; its address looks like an addressee's.
    isReceipt && party.candidate.line.index < SHOP_LINES ? { ...party, seller: party.seller + 1.5 } : party,
  );
  const minBuyer = isReceipt ? HEADED : MIN_BUYER;
  let best: { seller: Rated | null; buyer: Rated | null; score: number } = {
    seller: null,
    buyer: null,
    score: 0,
  };
  for (const seller of [null, ...rated]) {
    for (const buyer of [null, ...rated]) {
      // Where a heading names the buyer, a name in the letterhead can only be the seller.
      const isClear = isReceipt || (buyer !== null && buyer.buyer >= HEADED);
      const minSeller = isClear ? MIN_SELLER_BESIDE : MIN_SELLER;
      if (seller && seller.seller < minSeller) continue;
      if (buyer && (buyer.buyer < minBuyer || buyer === seller)) continue;
      if (seller && buyer && (seller.key.includes(buyer.key) || buyer.key.includes(seller.key))) continue;
      const score = (seller?.seller ?? 0) + (buyer?.buyer ?? 0);
      if (score > best.score) best = { seller, buyer, score };
    }
  }
  const others = (chosen: Rated | null, pick: (rated: Rated) => number) =>
    Math.max(
      0,
      ...rated.filter((other) => other !== best.seller && other !== best.buyer && other !== chosen).map(pick),
    );
  const give = (chosen: Rated | null, pick: (rated: Rated) => number) =>
    chosen
      ? sureOnly(
          finding(
            chosen.candidate.name,
            chosen.candidate.line,
            chosen.candidate.quote,
            confidenceOf(pick(chosen), others(chosen, pick)),
          ),
        )
      : null;
  return { seller: give(best.seller, (r) => r.seller), buyer: give(best.buyer, (r) => r.buyer) };
}
