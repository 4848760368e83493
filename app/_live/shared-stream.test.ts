import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type SharedStream, shareStream, type TabChannel } from './shared-stream';
import type { StreamMessage } from './stream-message';

/** What browsers offer to the tabs of one origin: a lock, and messages to the others. */
function createBrowser() {
  const channels = new Set<TabChannel>();
  const queue: { readonly run: () => Promise<unknown>; readonly granted: (by: Promise<unknown>) => void }[] =
    [];
  let holder: { steal(): void } | null = null;
  const next = () => {
    if (holder) return;
    const first = queue.shift();
    if (first) grant(first);
  };
  const grant = (one: (typeof queue)[number]) => {
    const stolen = Promise.withResolvers<never>();
    const mine = { steal: () => stolen.reject(new DOMException('stolen', 'AbortError')) };
    holder = mine;
    const held = Promise.resolve(one.run()).finally(() => {
      if (holder === mine) holder = null;
      next();
    });
    one.granted(Promise.race([held, stolen.promise]));
  };
  const request = (
    _: string,
    { signal, steal }: { signal?: AbortSignal; steal?: boolean },
    run: () => Promise<unknown>,
  ) =>
    new Promise((resolve, reject) => {
      const one = { run, granted: (by: Promise<unknown>) => by.then(resolve, reject) };
      signal?.addEventListener('abort', () => {
        const at = queue.indexOf(one);
        if (at < 0) return;
        queue.splice(at, 1);
        reject(signal.reason);
      });
      if (steal) {
        holder?.steal();
        grant(one);
      } else {
        queue.push(one);
        next();
      }
    });
  const channel = (): TabChannel => {
    const own: TabChannel = {
      onmessage: null,
      postMessage(data) {
        for (const other of channels) {
          if (other !== own) queueMicrotask(() => other.onmessage?.({ data } as MessageEvent));
        }
      },
      close: () => void channels.delete(own),
    };
    channels.add(own);
    return own;
  };
  return { locks: { request } as unknown as Pick<LockManager, 'request'>, channel };
}

interface Tab {
  readonly shared: SharedStream;
  readonly heard: StreamMessage[];
  /** With which ids it opened streams. */
  readonly opened: (string | null)[];
  reopened: number;
  /** What its stream says. */
  say(message: StreamMessage): void;
}

const tabs: Tab[] = [];
let open = 0;
let most = 0;

function openTab(browser: ReturnType<typeof createBrowser> | null): Tab {
  let speak: ((message: StreamMessage) => void) | null = null;
  const heard: StreamMessage[] = [];
  const opened: (string | null)[] = [];
  const shared = shareStream({
    name: 'live',
    locks: browser?.locks,
    channel: browser?.channel ?? (() => ({ onmessage: null, postMessage: () => {}, close: () => {} })),
    now: () => Date.now(),
    onMessage: (message) => heard.push(message),
    open(lastEventId, onMessage) {
      opened.push(lastEventId);
      open += 1;
      most = Math.max(most, open);
      speak = onMessage;
      return {
        close() {
          if (speak === onMessage) speak = null;
          open -= 1;
        },
        reopenNow: () => {
          tab.reopened += 1;
        },
      };
    },
  });
  const tab: Tab = { shared, heard, opened, reopened: 0, say: (message) => speak?.(message) };
  tabs.push(tab);
  return tab;
}

const settle = async () => {
  for (let n = 0; n < 20; n += 1) await Promise.resolve();
};
const beat = (id = '7'): StreamMessage => ({ kind: 'sign', at: new Date().toISOString(), id });
const ticks = async (tab: Tab, seconds: number) => {
  for (let n = 0; n < seconds; n += 1) {
    await vi.advanceTimersByTimeAsync(1_000);
    tab.shared.tick();
    await settle();
  }
};

beforeEach(() => {
  vi.useFakeTimers();
  open = most = 0;
});
afterEach(() => {
  for (const tab of tabs.splice(0)) tab.shared.stop();
  vi.useRealTimers();
});

describe('one stream for all tabs of a browser', () => {
  test('B33: however many tabs are open, one listens, and all hear the same', async () => {
    const browser = createBrowser();
    const all = Array.from({ length: 9 }, () => openTab(browser));
    for (const tab of all) tab.shared.show();
    await settle();
    expect(open).toBe(1);
    all[0]?.say(beat());
    await settle();
    for (const tab of all) expect(tab.heard.at(-1)).toMatchObject({ kind: 'sign', id: '7' });
    expect(most).toBe(1);
  });

  test('a tab that loses its leader takes over, with the id of the last event', async () => {
    const browser = createBrowser();
    const [first, second] = [openTab(browser), openTab(browser)];
    first.shared.show();
    second.shared.show();
    await settle();
    first.say(beat('41'));
    await settle();
    first.shared.stop();
    await settle();
    expect(second.shared.leads).toBe(true);
    expect(second.opened).toEqual(['41']);
    expect(open).toBe(1);
  });

  test('a tab that opens later knows at once how fresh the leader is', async () => {
    const browser = createBrowser();
    const first = openTab(browser);
    first.shared.show();
    await settle();
    first.say(beat());
    await vi.advanceTimersByTimeAsync(4_000);
    const second = openTab(browser);
    second.shared.show();
    await settle();
    expect(second.heard).toMatchObject([{ kind: 'sign', agoMs: 4_000 }]);
  });

  test('out of view a follower hears nothing, and is told to fetch anew when it is back', async () => {
    const browser = createBrowser();
    const [first, second] = [openTab(browser), openTab(browser)];
    first.shared.show();
    second.shared.show();
    await settle();
    first.say(beat());
    await settle();
    second.shared.hide();
    const before = second.heard.length;
    first.say(beat());
    await settle();
    expect(second.heard.length).toBe(before);
    second.shared.show();
    await settle();
    expect(second.heard.slice(before)).toMatchObject([{ kind: 'resync', at: null }, { kind: 'sign' }]);
  });

  test('a leader out of view goes on for a while, then lets another lead, and with none in view nobody listens', async () => {
    const browser = createBrowser();
    const [first, second] = [openTab(browser), openTab(browser)];
    first.shared.show();
    second.shared.show();
    await settle();
    first.shared.hide();
    await vi.advanceTimersByTimeAsync(19_000);
    expect(first.shared.leads).toBe(true);
    await vi.advanceTimersByTimeAsync(2_000);
    await settle();
    expect([first.shared.leads, second.shared.leads]).toEqual([false, true]);
    second.shared.hide();
    await vi.advanceTimersByTimeAsync(21_000);
    expect(open).toBe(0);
  });

  test('a leader whose stream is silent is asked to try again, and one that does not answer is replaced', async () => {
    const browser = createBrowser();
    const [first, second] = [openTab(browser), openTab(browser)];
    first.shared.show();
    second.shared.show();
    await settle();
    first.say(beat());
    await ticks(second, 13);
    expect(first.reopened).toBe(1);
    await ticks(second, 5);
    expect(first.shared.leads).toBe(true);
    // It hangs: none of its messages is handled any more.
    const hung = openTab(browser);
    first.shared.stop();
    await settle();
    second.shared.stop();
    hung.shared.show();
    await settle();
    const other = openTab({ ...browser, channel: () => ({ onmessage: null, postMessage() {}, close() {} }) });
    other.shared.show();
    await settle();
    expect(hung.shared.leads).toBe(true);
    await ticks(other, 16);
    expect([hung.shared.leads, other.shared.leads]).toEqual([false, true]);
    expect(open).toBe(1);
  });

  test('without locks each tab listens for itself, and lets go out of view', async () => {
    const tab = openTab(null);
    tab.shared.show();
    tab.shared.show();
    expect(open).toBe(1);
    tab.shared.hide();
    await vi.advanceTimersByTimeAsync(21_000);
    expect(open).toBe(0);
    tab.shared.show();
    expect(open).toBe(1);
  });
});
