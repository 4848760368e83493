'use client';

import { createContext, type ReactNode, use, useCallback, useEffect, useState } from 'react';
import { island } from './island';
import type { Message } from './toast-message';

type Say = (message: Omit<Message, 'id'>) => void;
const ToastContext = createContext<Say>(() => {});

/** Says what became of an action: `const say = useToast(); say({ tone: 'done', title: 'Task cancelled' })`. */
export function useToast(): Say {
  return use(ToastContext);
}

const loadList = () => import('./toast-list').then((module) => module.ToastList);
const ToastList = island(loadList, {
  what: 'A message',
  className: 'fixed right-4 bottom-20 z-50 bg-surface shadow-float md:bottom-4',
});
/** After the page, and before somebody needs it: what it has to say may be that the server is away. */
const LOAD_AFTER_MS = 1_500;

let lastId = 0;

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [messages, setMessages] = useState<readonly Message[]>([]);
  const say = useCallback<Say>((message) => {
    lastId += 1;
    setMessages((all) => [...all.slice(-2), { ...message, id: lastId }]);
  }, []);
  const forget = (id: number) => setMessages((all) => all.filter((message) => message.id !== id));
  useEffect(() => {
    const timer = setTimeout(() => void loadList().catch(() => {}), LOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <ToastContext value={say}>
      {children}
      {messages.length > 0 && <ToastList messages={messages} onForget={forget} />}
    </ToastContext>
  );
}
