import { expect, test } from 'vitest';
import { agentColors } from './agent-colors';

const AGENTS = ['auto', 'contract', 'financial-report', 'general', 'invoice'];

test('each agent has a colour of its own, which does not hang on the order in which they are given', () => {
  const color = agentColors(AGENTS);
  const reversed = agentColors([...AGENTS].reverse());
  expect(new Set(AGENTS.map(color)).size).toBe(AGENTS.length);
  for (const id of AGENTS) expect(reversed(id)).toBe(color(id));
});

test('with more agents than hues every one still has a colour', () => {
  const many = Array.from({ length: 30 }, (_, n) => `agent-${n}`);
  const color = agentColors(many);
  for (const id of [...many, 'one that was deleted']) expect(color(id)).toMatch(/^var\(--agent-[1-8]\)$/);
});
