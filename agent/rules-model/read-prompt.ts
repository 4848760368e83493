import { z } from 'zod';
import { fieldSchemas } from '../answer-schema';

/** One message of a chat request, its content as plain text. */
export interface PromptMessage {
  readonly role: string;
  readonly content: string;
}

/** What the messages ask for. */
export type Prompt =
  | { readonly task: 'classify'; readonly kinds: readonly string[]; readonly pages: string }
  | {
      readonly task: 'extract';
      readonly documentType: string;
      readonly fields: readonly { readonly name: string; readonly isList: boolean }[];
      readonly pages: string;
    };

const Kinds = z.array(z.object({ documentType: z.string() }));
const Schema = z.record(z.string(), z.unknown());

/** Text between two markers that stand alone on their lines; the last closing one counts, as pages may quote it. */
function between(text: string, name: string): string | null {
  const open = text.indexOf(`<${name}>\n`);
  const close = text.lastIndexOf(`\n</${name}>`);
  return open === -1 || close < open ? null : text.slice(open + name.length + 3, close);
}

function json<T extends z.ZodType>(text: string | null, schema: T): z.output<T> | null {
  if (text === null) return null;
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Reads the agent's prompt (`agent/prompt.ts`). Null for any other conversation: there are no rules for that. */
export function readPrompt(messages: readonly PromptMessage[]): Prompt | null {
  const system = messages.find((message) => message.role === 'system')?.content ?? '';
  const user = messages.find((message) => message.role === 'user')?.content ?? '';
  const pages = between(user, 'document') ?? user;
  const task = /^Task: (classify|extract (.{1,200}))\s*$/m.exec(system.split('\n', 1)[0] ?? '');
  if (!task) return null;
  if (task[1] === 'classify') {
    const kinds = json(between(system, 'kinds'), Kinds);
    return kinds ? { task: 'classify', kinds: kinds.map((kind) => kind.documentType), pages } : null;
  }
  const schema = json(between(system, 'schema'), Schema);
  if (!schema) return null;
  const fields = fieldSchemas(schema).map(({ name, isList }) => ({ name, isList }));
  return { task: 'extract', documentType: task[2] ?? '', fields, pages };
}
