import { Worker } from 'node:worker_threads';
import { answer } from './answer';
import type { Prompt } from './read-prompt';

/** Gives the answer to a prompt. */
export type AnswerPrompt = (prompt: Prompt) => Promise<Record<string, unknown>>;

/** Prompts up to this many characters take some milliseconds and are answered on the spot. */
const SMALL = 60_000;
/** Far more than any real document takes; what takes longer was made to. */
const MAX_MS = 20_000;

/** Answers in this thread: for tests and small prompts. */
export const answerHere: AnswerPrompt = async (prompt) => answer(prompt);

/**
 * Answers large prompts in a thread of its own, so that others need not wait.
 * @param script the file that answers its `workerData` when it is not the main thread
 */
export function answerInThread(script: URL): AnswerPrompt {
  return (prompt) => (prompt.pages.length <= SMALL ? answerHere(prompt) : askThread(script, prompt));
}

async function askThread(script: URL, prompt: Prompt): Promise<Record<string, unknown>> {
  const thread = new Worker(script, { workerData: prompt, resourceLimits: { maxOldGenerationSizeMb: 512 } });
  try {
    return await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer within ${MAX_MS} ms`)), MAX_MS);
      thread.once('message', (message: Record<string, unknown>) => {
        clearTimeout(timer);
        resolve(message);
      });
      thread.once('error', (error) => {
        clearTimeout(timer);
        reject(error);
      });
    });
  } finally {
    await thread.terminate();
  }
}
