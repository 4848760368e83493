'use client';

import { RotateCw } from 'lucide-react';
import { type ComponentType, type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { Button } from './button';
import { cn } from './cn';

interface IslandOptions {
  /** What is missing until then, as the start of a sentence: `The charts`. */
  readonly what: string;
  /** Takes the room that it will take. */
  readonly loading?: () => ReactNode;
  /** How the message fills that room when it could not be loaded. */
  readonly className?: string;
}

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * A part of a page whose code comes after the page: the server and the first rendering show its place. Code that could
 * not be loaded, as the server was away or the network was, is asked for again by itself and on "Try again"; the rest
 * of the page goes on meanwhile.
 * @param load such as `() => import('./charts').then((module) => module.Charts)`
 */
export function island<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  options: IslandOptions,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  const waiting = new Set<() => void>();
  const subscribe = (onChange: () => void) => {
    waiting.add(onChange);
    return () => waiting.delete(onChange);
  };
  const get = async () => {
    loaded = await load();
    for (const tell of waiting) tell();
  };
  // biome-ignore lint/correctness/noComponentHookFactories: made once for a module, never while something is drawn
  return function Island(props: Props) {
    const Part = useSyncExternalStore<ComponentType<Props> | null>(
      subscribe,
      () => loaded,
      () => null,
    );
    const { failures, retry } = useLoading(get, Part !== null);
    if (Part) return <Part {...props} />;
    return failures > 0 ? <Failed {...options} failures={failures} onRetry={retry} /> : options.loading?.();
  };
}

function useLoading(get: () => Promise<void>, isLoaded: boolean) {
  const [failures, setFailures] = useState(0);
  const [asked, setAsked] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each asking is a try
  useEffect(() => {
    if (isLoaded) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let gone = false;
    get().catch(() => {
      if (gone) return;
      setFailures((n) => n + 1);
      timer = setTimeout(
        () => setAsked((n) => n + 1),
        Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures),
      );
    });
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [isLoaded, asked]);
  return { failures, retry: () => setAsked((n) => n + 1) };
}

/** After so many the code itself may be gone: the server was renewed since the page was loaded. */
const MAYBE_RENEWED = 3;

function Failed({
  what,
  className,
  failures,
  onRetry,
}: IslandOptions & { readonly failures: number; readonly onRetry: () => void }) {
  return (
    <div
      role="alert"
      className={cn(
        'flex flex-col items-center justify-center gap-3 rounded-md border border-line border-dashed bg-bg p-6 text-center',
        className,
      )}
    >
      <p className="max-w-[44ch] text-muted text-sm">
        {what} could not be loaded: the server did not answer. It is tried again by itself.
      </p>
      <div className="flex flex-wrap justify-center gap-2">
        <Button size="sm" onClick={onRetry}>
          <RotateCw /> Try again
        </Button>
        {failures >= MAYBE_RENEWED && (
          <Button size="sm" variant="ghost" onClick={() => window.location.reload()}>
            Reload the page
          </Button>
        )}
      </div>
    </div>
  );
}
