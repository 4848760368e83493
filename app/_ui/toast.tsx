'use client';

import { CircleCheck, TriangleAlert, X } from 'lucide-react';
import { Toast } from 'radix-ui';
import { createContext, type ReactNode, use, useCallback, useState } from 'react';
import { Button } from './button';

interface Message {
  readonly id: number;
  readonly tone: 'done' | 'problem';
  readonly title: string;
  readonly detail?: string;
  /** What can be done about it, such as taking it back; the message then stays longer. */
  readonly action?: { readonly label: string; readonly onSelect: () => void };
}

type Say = (message: Omit<Message, 'id'>) => void;
const ToastContext = createContext<Say>(() => {});

/** Says what became of an action: `const say = useToast(); say({ tone: 'done', title: 'Task cancelled' })`. */
export function useToast(): Say {
  return use(ToastContext);
}

let lastId = 0;

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [messages, setMessages] = useState<readonly Message[]>([]);
  const say = useCallback<Say>((message) => {
    lastId += 1;
    setMessages((all) => [...all.slice(-2), { ...message, id: lastId }]);
  }, []);
  const forget = (id: number) => setMessages((all) => all.filter((message) => message.id !== id));
  return (
    <ToastContext value={say}>
      <Toast.Provider swipeDirection="right" label="Message">
        {children}
        {messages.map((message) => (
          <Toast.Root
            key={message.id}
            duration={message.action ? 20_000 : message.tone === 'problem' ? 12_000 : 5_000}
            type={message.tone === 'problem' ? 'foreground' : 'background'}
            onOpenChange={(open) => !open && forget(message.id)}
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
    </ToastContext>
  );
}
