import { describe, expect, test } from 'vitest';
import type { Role } from '@/lib/contract/roles';
import type { Principal } from '@/lib/databricks/directory';
import { WorkspaceError } from '@/lib/databricks/workspace-error';
import { createProxyVisitors, type VisitorDeps } from './proxy-visitor';

const ADA: Principal = { kind: 'person', name: 'ada@example.com', displayName: 'Ada', groups: [] };
const ROBOT: Principal = {
  kind: 'service_principal',
  name: '0b7c2a4e-0000-4000-8000-000000000001',
  displayName: 'robot',
  groups: [],
};

function world(
  changed: Partial<VisitorDeps> = {},
  known: Record<string, Principal> = { '11': ADA, '22': ROBOT },
) {
  const roles = new Map<string, Role>();
  const asked: string[] = [];
  const time = { now: 0 };
  const find = createProxyVisitors({
    findPrincipal: async (id) => {
      asked.push(id);
      return known[id] ?? null;
    },
    findRole: async (names) => names.map((name) => roles.get(name)).find(Boolean) ?? null,
    admins: [],
    adminGroups: ['tickmark-admin'],
    operatorGroups: ['tickmark-operator'],
    log: { warn: () => {} } as unknown as VisitorDeps['log'],
    now: () => time.now,
    ...changed,
  });
  const who = (headers: Record<string, string>) => find(new Headers(headers));
  return { who, roles, asked, time };
}

describe('M28: who came through the proxy of Databricks Apps', () => {
  test('is the person that the workspace knows by the number, with the role of an auditor', async () => {
    const { who } = world();
    expect(await who({ 'x-forwarded-user': '11@7034567890123456' })).toEqual({
      user: { id: 'ada@example.com', name: 'Ada', role: 'auditor' },
      isMachine: false,
    });
  });

  test('is nobody else for an e-mail address sent along', async () => {
    const { who } = world({ admins: ['boss@example.com'] });
    const forged = { 'x-forwarded-email': 'boss@example.com', 'x-forwarded-preferred-username': 'boss' };
    expect((await who({ 'x-forwarded-user': '11@1', ...forged }))?.user.role).toBe('auditor');
    expect(await who({ 'x-forwarded-user': '22@1', ...forged })).toBeNull();
    expect(await who(forged)).toBeNull();
  });

  test.each(['', 'ada@example.com', '99@1', '11@1, 22@1', '1'.repeat(30)])(
    'is a stranger as “%s”',
    async (value) => {
      expect(await world().who({ 'x-forwarded-user': value })).toBeNull();
    },
  );

  test('has the role of a group, of the table, or of the list of admins, in rising order', async () => {
    const inGroup = { '11': { ...ADA, groups: ['others', 'tickmark-operator'] } };
    const { who, roles, time } = world({}, inGroup);
    const role = async () => (await who({ 'x-forwarded-user': '11@1' }))?.user.role;
    expect(await role()).toBe('operator');
    roles.set('ada@example.com', 'auditor');
    time.now += 10_001;
    expect(await role()).toBe('auditor');
    expect(
      (await world({ admins: ['Ada@Example.com'] }, inGroup).who({ 'x-forwarded-user': '11@1' }))?.user.role,
    ).toBe('admin');
    const boss = { '11': { ...ADA, groups: ['tickmark-admin'] } };
    expect((await world({}, boss).who({ 'x-forwarded-user': '11@1' }))?.user.role).toBe('admin');
  });

  test('a service principal has no role unless it is given one, and then is told apart from people', async () => {
    const { who, roles, time } = world();
    expect(await who({ 'x-forwarded-user': '22@1' })).toBeNull();
    roles.set(ROBOT.name, 'operator');
    time.now += 10_001;
    expect(await who({ 'x-forwarded-user': '22@1' })).toEqual({
      user: { id: `sp:${ROBOT.name}`, name: 'robot', role: 'operator' },
      isMachine: true,
    });
  });

  test.each(['silent', 'refusing'])(
    'is nobody while the directory is %s: a machine must not pass as a person',
    async (how) => {
      const answer =
        how === 'silent'
          ? new WorkspaceError('no answer', { status: null, retryable: true })
          : new WorkspaceError('403', { status: 403, errorCode: 'PERMISSION_DENIED', retryable: false });
      const { who } = world({ findPrincipal: () => Promise.reject(answer) });
      for (const id of ['11@1', '22@1', '99@1']) {
        await expect(who({ 'x-forwarded-user': id })).rejects.toMatchObject({
          code: 'unavailable',
          message: expect.stringMatching(/does not say who you are/),
        });
      }
    },
  );

  test('may be somebody by number alone while the directory is silent, where a role was given to the number', async () => {
    const silent = { findPrincipal: () => Promise.reject(new Error('403')) };
    const { who, roles, time } = world(silent);
    roles.set('22', 'operator');
    const operator = { user: { id: '22', name: 'User 22', role: 'operator' }, isMachine: false };
    expect(await who({ 'x-forwarded-user': '22@1' })).toEqual(operator);
    roles.clear();
    time.now += 10_001;
    await expect(who({ 'x-forwarded-user': '22@1' })).rejects.toMatchObject({ code: 'unavailable' });
    const named = world({ ...silent, admins: ['11'] });
    expect((await named.who({ 'x-forwarded-user': '11@1' }))?.user.role).toBe('admin');
  });

  test('stays who it was for half an hour after the directory told it last, and is asked for again all the while', async () => {
    let isSilent = false;
    const asked: string[] = [];
    const known: Record<string, Principal> = { '11': ADA, '22': ROBOT };
    const { who, time } = world({
      findPrincipal: async (id) => {
        asked.push(id);
        if (isSilent) throw new Error('silent');
        return known[id] ?? null;
      },
    });
    const ada = () => who({ 'x-forwarded-user': '11@1' });
    const robot = () => who({ 'x-forwarded-user': '22@1' });
    expect((await ada())?.user.role).toBe('auditor');
    expect(await robot()).toBeNull();
    isSilent = true;
    time.now += 6 * 60_000;
    expect((await ada())?.user.id).toBe('ada@example.com');
    expect(await robot()).toBeNull();
    time.now += 25 * 60_000;
    await expect(ada()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(robot()).rejects.toMatchObject({ code: 'unavailable' });
    isSilent = false;
    time.now += 10_001;
    expect((await ada())?.user.id).toBe('ada@example.com');
    delete known['11'];
    time.now += 6 * 60_000;
    expect(await ada()).toBeNull();
    isSilent = true;
    time.now += 6 * 60_000;
    await expect(ada()).rejects.toMatchObject({ code: 'unavailable' });
    expect(asked.filter((id) => id === '11')).toHaveLength(6);
  });

  test('is asked for once however many requests come, and again after five minutes', async () => {
    const { who, asked, time } = world();
    await Promise.all([1, 2, 3].map(() => who({ 'x-forwarded-user': '11@1' })));
    time.now += 4 * 60_000;
    await who({ 'x-forwarded-user': '11@1' });
    expect(asked).toEqual(['11']);
    time.now += 2 * 60_000;
    await who({ 'x-forwarded-user': '11@1' });
    expect(asked).toEqual(['11', '11']);
  });
});
