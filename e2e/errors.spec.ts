import { expect, test } from './fixtures';

test.beforeEach(async ({ signInAs, console }) => {
  await signInAs('auditor');
  console.expect(/status of 404/);
});

test('an unknown address says so and leads on', async ({ page }) => {
  const answer = await page.goto('/no/such/page');
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('There is no such page');
  await page.getByRole('link', { name: 'Go to extractions' }).click();
  await expect(page).toHaveURL('/extractions');
});

for (const address of [
  '/tasks/00000000-0000-4000-8000-000000000000',
  '/tasks/nonsense',
  '/extractions/00000000-0000-4000-8000-000000000000',
  '/agents/nobody',
]) {
  test(`${address} is nothing, and the rest of the product stays at hand`, async ({ page }) => {
    const answer = await page.goto(address);
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nothing is here');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Tasks' }).click();
    await expect(page).toHaveURL('/tasks');
  });
}
