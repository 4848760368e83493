import { z } from 'zod';
import type { Order, Seen } from './workspace/control';

const Told = z.object({ host: z.string() });

/** Changes the stand-in workspace of this run, and tells what it has seen so far. */
export async function order(change: Order = {}): Promise<Seen> {
  const { host } = Told.parse(JSON.parse(process.env.TICKMARK_E2E_WORKSPACE ?? 'null'));
  const answer = await fetch(`${host}/__workspace`, { method: 'POST', body: JSON.stringify(change) });
  if (!answer.ok) throw new Error(`the workspace refused: ${await answer.text()}`);
  return (await answer.json()) as Seen;
}
