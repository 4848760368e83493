import { expect, test } from './fixtures';
import { Shell } from './pages/shell';

const WORK = ['Submit', 'Extractions'];
const RAILS = {
  auditor: [...WORK, 'Tasks'],
  operator: [...WORK, 'Overview', 'Tasks', 'Agents', 'Health'],
  admin: [...WORK, 'Overview', 'Tasks', 'Agents', 'Health'],
} as const;

for (const [role, rail] of Object.entries(RAILS)) {
  test(`a local ${role} signs in, sees the pages of the role in the rail, and signs out`, {
    tag: '@embedded',
  }, async ({ page }) => {
    await page.goto('/extractions');
    await expect(page).toHaveURL(/\/signin\?callbackUrl=%2Fextractions$/);
    await expect(
      page.getByText('Anyone on this machine can sign in here, without a password.'),
    ).toBeVisible();
    await page.getByRole('button', { name: new RegExp(`^${role}`, 'i') }).click();
    await expect(page).toHaveURL('/extractions');
    const shell = new Shell(page);
    expect(await shell.destinations()).toEqual(rail);
    for (const name of rail) {
      await shell.rail.getByRole('link', { name }).click();
      await expect(shell.rail.getByRole('link', { name })).toHaveAttribute('aria-current', 'page');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    }
    await shell.signOut();
    await expect(page).toHaveURL(/\/signin/);
    await page.goto('/tasks?status=failed');
    await expect(page).toHaveURL('/signin?callbackUrl=%2Ftasks%3Fstatus%3Dfailed');
  });
}

test('a session that has ended leads back to the sign-in, and from there to the same page', {
  tag: '@embedded',
}, async ({ page, context, signInAs, console }) => {
  // The event stream may notice before the reload does.
  console.expect(/status of 401/);
  await signInAs('operator');
  await page.goto('/tasks?status=failed');
  await context.clearCookies();
  await page.reload();
  await page.getByRole('button', { name: /^Operator/ }).click();
  await expect(page).toHaveURL('/tasks?status=failed');
  await expect(page.getByRole('button', { name: 'Status: Failed' })).toBeVisible();
});

test('another tab signs in with another role: this one says so, is made anew once and is refused no more', {
  tag: '@embedded',
}, async ({ page, signInAs, console }) => {
  console.expect(/status of 403/);
  await signInAs('operator');
  await page.goto('/health');
  await expect(page.getByRole('heading', { name: 'Health', level: 1 })).toBeVisible();
  await signInAs('auditor');
  await expect(page.getByText('You are signed in as Local auditor now', { exact: true })).toBeVisible({
    timeout: 30_000,
  });
  await expect(page).toHaveURL(/\/(submit|extractions)$/);
  const refused: string[] = [];
  page.on('response', (answer) => answer.status() === 403 && refused.push(answer.url()));
  await page.goto('/extractions');
  await expect(new Shell(page).live).toHaveText('live');
  expect(refused).toEqual([]);
});

test('an auditor who opens an operator’s page is led to their own work, and finds no switches elsewhere', async ({
  page,
  signInAs,
}) => {
  await signInAs('auditor');
  await page.goto('/');
  await expect(page).toHaveURL(/\/(submit|extractions)$/);
  await page.goto('/agents');
  await expect(page.getByRole('heading', { name: 'Agents' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Pause' })).toHaveCount(0);
});

test('the sign-in sends nobody to another site', { tag: '@embedded' }, async ({ page }) => {
  await page.goto('/signin?callbackUrl=https%3A%2F%2Felsewhere.example%2Fextractions');
  await page.getByRole('button', { name: /^Auditor/ }).click();
  await expect(page).toHaveURL('/extractions');
});
