import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createCaller } from './caller';
import { startWorkspace, type Workspace } from './workspace';

let workspace: Workspace;
let caller: ReturnType<typeof createCaller>;
beforeAll(async () => {
  workspace = await startWorkspace();
  caller = createCaller(workspace);
});
beforeEach(() => {
  workspace.settings.limits = { tokensPerMinute: null, requestsPerMinute: null };
  workspace.serving.reset();
});
afterAll(() => workspace.stop());

const MODEL = 'databricks-claude-stand-in';
/** What the rules model cannot answer is refused as a wrong request: enough to see what reaches it. */
const chat = { messages: [{ role: 'user', content: 'hello' }], stream: false };
const ask = (body: object, path = `/serving-endpoints/${MODEL}/invocations`) =>
  caller.call('POST', path, { body: JSON.stringify(body) });

test('the endpoint is asked by its own address or by its name as the model', async () => {
  const reached = { status: 400, json: { message: expect.stringContaining('tickmark-rules') } };
  expect(await ask(chat)).toMatchObject(reached);
  expect(await ask({ ...chat, model: MODEL }, '/serving-endpoints/chat/completions')).toMatchObject(reached);
  expect((await ask({ ...chat, model: 'gpt' }, '/serving-endpoints/chat/completions')).status).toBe(404);
  expect((await ask(chat, '/serving-endpoints/other/invocations')).status).toBe(404);
});

test('a request that leaves open whether to stream is refused, and so is one without the permission', async () => {
  expect((await ask({ messages: chat.messages })).status).toBe(400);
  workspace.app.grants.delete('endpoint:CAN_QUERY');
  expect((await ask(chat)).status).toBe(403);
  workspace.app.grants.add('endpoint:CAN_QUERY');
});

test('beyond its queries or tokens per minute it answers 429 and does not say when to come again', async () => {
  workspace.settings.limits = { tokensPerMinute: null, requestsPerMinute: 1 };
  workspace.serving.reset();
  await ask(chat);
  const refused = await ask(chat);
  expect(refused).toMatchObject({ status: 429, json: { error_code: 'REQUEST_LIMIT_EXCEEDED' } });
  expect(refused.headers.get('retry-after')).toBeNull();
});
