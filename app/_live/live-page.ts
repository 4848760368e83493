import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from '@/lib/api-client/api-error';
import { createChangeSink } from './apply-changes';
import { openEventStream } from './event-stream';
import {
  ASK_AFTER_MS,
  decideFreshness,
  type Freshness,
  NOT_LIVE_AFTER_MS,
  nextPauseMs,
  type Signs,
  shouldAsk,
} from './freshness';
import { createLatenessGauge } from './lateness';
import { type SharedStreamOptions, shareStream } from './shared-stream';
import { type StreamMessage, sentAt } from './stream-message';

const TICK_MS = 1_000;
/** A tick that comes so much later than it should: the machine slept. */
const SLEPT_MS = 5_000;
const ANSWER_WITHIN_MS = 5_000;

/**
 * Keeps a page at the truth of now for as long as it is open, and tells how fresh it is whenever that changes. Out of
 * view it does nothing.
 * @param person tabs of one person share one stream, tabs of another do not
 */
export function keepLive(client: QueryClient, person: string, onFreshness: (now: Freshness) => void) {
  const signs: { -readonly [K in keyof Signs]: Signs[K] } = {
    openedAt: Date.now(),
    lastEventAt: null,
    lastLateAt: null,
    lastAnswerAt: Date.now(),
    lastFailureAt: null,
  };
  const sink = createChangeSink(client);
  const lateness = createLatenessGauge();
  let ticking: ReturnType<typeof setInterval> | undefined;
  let lastTickAt = Date.now();
  let askedAt = 0;
  let pauseMs = ASK_AFTER_MS;

  const judge = () => onFreshness(decideFreshness(signs, Date.now()));
  const onMessage = (message: StreamMessage) => {
    const at = sentAt(message);
    // A new stream, perhaps another server: its clock is another's.
    if (message.kind === 'resync') lateness.reset();
    if (at !== null) {
      const cameAt = Date.now() - (message.kind === 'sign' ? (message.agoMs ?? 0) : 0);
      if (lateness.isLate(Date.parse(at), cameAt)) signs.lastLateAt = cameAt;
      signs.lastEventAt = signs.lastAnswerAt = cameAt;
    }
    if (message.kind === 'change') sink.change(message.change);
    else if (message.kind === 'resync') sink.resync();
    judge();
  };
  const shared = shareStream({ name: `tickmark-live ${person}`, onMessage, ...browserParts(person) });

  const wake = () => {
    const now = Date.now();
    lastTickAt = now;
    if (now - (signs.lastEventAt ?? 0) >= NOT_LIVE_AFTER_MS) {
      Object.assign(signs, { openedAt: now, lastEventAt: null, lastLateAt: null });
    }
    lateness.reset();
    sink.resume();
  };
  const tick = () => {
    const now = Date.now();
    if (now - lastTickAt > SLEPT_MS) revive();
    lastTickAt = now;
    shared.tick();
    if (shouldAsk(signs, askedAt, now, pauseMs)) {
      askedAt = now;
      void ask(signs).then((answered) => {
        // Nothing else knocks while nothing answers: then all on screen is fetched again.
        if (answered && pauseMs > ASK_AFTER_MS) sink.resync();
        pauseMs = answered ? ASK_AFTER_MS : nextPauseMs(pauseMs);
      });
    }
    judge();
  };
  const revive = () => {
    if (document.hidden) return;
    wake();
    shared.revive();
    sink.resync();
  };
  const onVisibility = () => {
    clearInterval(ticking);
    if (document.hidden) {
      sink.pause();
      shared.hide();
    } else {
      wake();
      shared.show();
      ticking = setInterval(tick, TICK_MS);
      judge();
    }
  };
  // Left for the back button's cache, a page must hold no lock and no stream.
  const onLeave = () => shared.stop();
  const unsubscribe = watchAnswers(client, signs);
  document.addEventListener('visibilitychange', onVisibility);
  window.addEventListener('online', revive);
  window.addEventListener('pagehide', onLeave);
  window.addEventListener('pageshow', onVisibility);
  onVisibility();
  return () => {
    clearInterval(ticking);
    unsubscribe();
    shared.stop();
    sink.stop();
    document.removeEventListener('visibilitychange', onVisibility);
    window.removeEventListener('online', revive);
    window.removeEventListener('pagehide', onLeave);
    window.removeEventListener('pageshow', onVisibility);
  };
}

/** Not in every browser, nor outside of https and loopback, there are locks: then each tab listens by itself. */
function browserParts(person: string): Pick<SharedStreamOptions, 'open' | 'locks' | 'channel' | 'now'> {
  const able = 'locks' in navigator && typeof BroadcastChannel === 'function';
  return {
    open: (lastEventId, onMessage) => openEventStream('/api/v1/events', lastEventId, onMessage),
    locks: able ? navigator.locks : undefined,
    channel: () => new BroadcastChannel(`tickmark-live ${person}`),
    now: () => Date.now(),
  };
}

type AnswerSigns = { lastAnswerAt: number; lastFailureAt: number | null };

function watchAnswers(client: QueryClient, signs: AnswerSigns): () => void {
  return client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return;
    const { action } = event;
    if (action.type === 'success' && !action.manual) signs.lastAnswerAt = Date.now();
    if ((action.type === 'failed' || action.type === 'error') && gotNoAnswer(action.error)) {
      signs.lastFailureAt = Date.now();
    }
  });
}

/** A refusal is an answer too; silence and a broken proxy are not. */
function gotNoAnswer(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
}

/** Between two polls nothing else would show whether the server still answers. */
async function ask(signs: AnswerSigns): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const answer = await fetch('/healthz', { cache: 'no-store', signal });
    if (answer.ok) signs.lastAnswerAt = Date.now();
    return answer.ok;
  } catch {
    signs.lastFailureAt = Date.now();
    return false;
  }
}
