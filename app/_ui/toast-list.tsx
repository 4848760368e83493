'use client';

import { CircleCheck, TriangleAlert, X } from 'lucide-react';
import { Toast } from 'radix-ui';
import { Button } from './button';
import type { Message } from './toast-message';

interface ToastListProps {
  readonly messages: readonly Message[];
  readonly onForget: (id: number) => void;
}

/** What is said just now, in a corner. */
export function ToastList({ messages, onForget }: ToastListProps) {
  return (
    <Toast.Provider swipeDirection="right" label="Message">
      {messages.map((message) => (
        <Toast.Root
          key={message.id}
          duration={message.action ? 20_000 : message.tone === 'problem' ? 12_000 : 5_000}
          type={message.tone === 'problem' ? 'foreground' : 'background'}
          onOpenChange={(open) => !open && onForget(message.id)}
          className="flex animate-rise items-start gap-2.5 rounded-md border border-line bg-surface p-3 shadow-float"
        >
          {message.tone === 'done' ? (
            <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
          ) : (
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-failed" />
          )}
          <div className="min-w-0 grow">
            <Toast.Title className="font-medium">{message.title}</Toast.Title>
            {message.detail && (
              <Toast.Description className="text-muted text-sm">{message.detail}</Toast.Description>
            )}
          </div>
          {message.action && (
            <Toast.Action altText={`${message.action.label}: ${message.title}`} asChild>
              <Button size="sm" onClick={message.action.onSelect}>
                {message.action.label}
              </Button>
            </Toast.Action>
          )}
          <Toast.Close aria-label="Dismiss" className="rounded-sm p-0.5 text-muted hover:text-text">
            <X className="size-4" />
          </Toast.Close>
        </Toast.Root>
      ))}
      <Toast.Viewport className="fixed right-4 bottom-20 z-50 flex w-[min(24rem,calc(100vw-2rem))] flex-col gap-2 md:bottom-4" />
    </Toast.Provider>
  );
}
