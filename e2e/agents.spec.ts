import { expect, test } from './fixtures';
import { Shell } from './pages/shell';
import { actorOf } from './people';

test.afterEach(async ({ apiAs }) =>
  (await apiAs('operator')).patchAgent('financial-report', {
    paused: false,
    maxConcurrentTasks: null,
    maxTpm: null,
    retryFactor: 2,
    ageingSeconds: null,
  }),
);

test('an agent’s page tells how it is set and who changed what, by page and by SQL', async ({
  page,
  signInAs,
  db,
}) => {
  await signInAs('operator');
  await page.goto('/agents');
  await page.getByRole('link', { name: 'Financial report' }).click();
  await expect(page).toHaveURL('/agents/financial-report');
  await expect(new Shell(page).live).toHaveText('live');
  const history = page.getByRole('region', { name: 'History' });
  const settings = page.getByRole('region', { name: 'Settings' });

  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Financial report' });
  await dialog.getByLabel('Tasks at once').fill('-1');
  await expect(dialog.getByText('A whole number from 0 to 1,000,000')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  await dialog.getByLabel('Tasks at once').fill('6');
  await dialog.getByLabel('Factor').fill('2.5');
  await dialog.getByLabel('Within the same priority').selectOption('Waiting counts as priority');
  await dialog.getByLabel('Seconds of waiting for one step').fill('120');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(new Shell(page).toast('Financial report is changed')).toBeVisible();
  await expect(page.getByText('of 6')).toBeVisible();
  await expect(settings).toContainText('× 2.5');
  const first = history.getByRole('listitem').first();
  await expect(first).toContainText(actorOf('operator'));
  await expect(first).toContainText(/Tasks at once\s*no limit\s*6/);
  await expect(first).toContainText(/Waiting for one step of priority\s*priority is strict\s*2 min/);

  await db.query(`update tickmark.agents set max_tpm = 90000 where id = 'financial-report'`);
  await expect(history.getByText('with SQL').first()).toBeVisible({ timeout: 15_000 });
  await expect(history.getByRole('listitem').first()).toContainText(/Tokens a minute\s*no limit\s*90,000/);
});

test('an agent is drained: paused, and told when nothing is in flight any more', async ({
  page,
  signInAs,
}) => {
  await signInAs('operator');
  await page.goto('/agents/financial-report');
  await page.getByRole('button', { name: 'Drain' }).click();
  const question = page.getByRole('dialog', { name: /^Drain / });
  await expect(question).toContainText('until somebody resumes it');
  await question.getByRole('button', { name: 'Drain it' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Paused and drained');
  await page.keyboard.press('ControlOrMeta+k');
  await expect(new Shell(page).palette).toBeVisible();
  await page.keyboard.type('resume');
  await expect(page.getByRole('option', { name: 'Resume Financial report' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await page.keyboard.press('Enter');
  await expect(new Shell(page).toast('Financial report runs again')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).not.toContainText('Paused');
});
