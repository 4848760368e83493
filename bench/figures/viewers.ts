import { setTimeout as delay } from 'node:timers/promises';
import { REFETCH_AFTER_HEADER } from '@/lib/contract/refetch-after';
import { now } from '../clock';
import { Readers } from '../readers';

/** One answer: what was asked and how long it took, in milliseconds. */
export interface Seen {
  readonly kind: string;
  readonly took: number;
  /** How long a page is told to wait before it asks again, in milliseconds. */
  readonly pause: number;
}

export interface Question {
  /** Row of the report that it counts for. */
  readonly kind: string;
  readonly path: string;
}

const DAY_MS = 86_400_000;
const CLIENT = 'client=Ash%20Ltd';
const FILTERS = [
  'agent=invoice',
  CLIENT,
  'status=failed',
  `agent=invoice&agent=contract&${CLIENT}`,
  'status=completed&agent=general',
];
const SORTS = ['-created', '-cost', '-latency', 'confidence', '-priority'];

/** What the figures of a range are asked for with and without filters. */
export function metricsQuestions(): Question[] {
  const hour = 3_600_000;
  // As the page does: the same range for all who look at it.
  const from = (days: number) =>
    `from=${new Date(Math.floor(Date.now() / hour) * hour - days * DAY_MS).toISOString()}`;
  const ranges = { '7 days': from(7), '30 days': from(30), 'all time': '' };
  return Object.entries(ranges).flatMap(([range, query]) => [
    { kind: `metrics, ${range}`, path: `/api/v1/metrics?${query}` },
    ...FILTERS.map((filter) => ({
      kind: `metrics, ${range}, filtered`,
      path: `/api/v1/metrics?${query}&${filter}`,
    })),
  ]);
}

/** First pages of the task list in several orders and under several filters. */
export function listQuestions(): Question[] {
  return SORTS.flatMap((sort) =>
    ['', ...FILTERS].map((filter) => ({ kind: 'task list', path: `/api/v1/tasks?sort=${sort}&${filter}` })),
  );
}

/** Asks once. Throws for anything but 200. */
export async function ask(origin: string, token: string, { kind, path }: Question): Promise<Seen> {
  const begun = now();
  const answer = await fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${token}` } });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}`);
  const pause = Number(answer.headers.get(REFETCH_AFTER_HEADER) ?? 0);
  return { kind, took: now() - begun, pause };
}

/** Follows a task list to its end or for so many pages. */
export async function askPages(origin: string, token: string, path: string, pages: number): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (let cursor = ''; seen.length < pages; ) {
    const begun = now();
    const answer = await fetch(`${origin}${path}${cursor && `&cursor=${cursor}`}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { nextCursor } = (await answer.json()) as { nextCursor: string | null };
    seen.push({ kind: 'task list, later pages', took: now() - begun, pause: 0 });
    if (!nextCursor) break;
    cursor = nextCursor;
  }
  return seen;
}

/**
 * People who each have the overview or the task list open, with its event stream, and whose page asks anew once a second while
 * things change, or as seldom as the server wants, as pages do. Everybody stays with one view, as people do; the views are
 * spread over all filters.
 */
export async function watch(
  origin: string,
  token: string,
  viewers: number,
  seconds: number,
): Promise<Seen[]> {
  const questions = [...metricsQuestions(), ...listQuestions()];
  const streams = new Readers();
  await streams.open(`${origin}/api/v1/events`, viewers, { authorization: `Bearer ${token}` });
  const until = now() + seconds * 1000;
  const seen: Seen[] = [];
  const viewer = async (n: number) => {
    const question = questions[(n * 7) % questions.length];
    await delay((n / viewers) * 1000);
    while (question && now() < until) {
      const one = await ask(origin, token, question);
      seen.push(one);
      await delay(Math.max(0, Math.max(1000, one.pause) - one.took));
    }
  };
  try {
    await Promise.all(Array.from({ length: viewers }, (_, n) => viewer(n)));
  } finally {
    streams.close();
  }
  return seen;
}
