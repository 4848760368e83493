import type { Page } from '@playwright/test';
import { madeInvoice } from './documents';
import { expect, test } from './fixtures';
import { Shell } from './pages/shell';
import { TaskPage } from './pages/task-page';

/** Presses Tab until what is named has the focus; fails when it never gets it. */
async function tabTo(page: Page, target: ReturnType<Page['locator']>, most: number): Promise<void> {
  for (let step = 0; step < most; step += 1) {
    await page.keyboard.press('Tab');
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`not reached within ${most} steps`);
}

test('the skip link is first and leads past rail and bar to what a page is for', async ({
  page,
  signInAs,
}) => {
  await signInAs('auditor');
  await page.goto('/submit');
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Choose files' })).toBeFocused();
  const chooser = page.waitForEvent('filechooser');
  await page.keyboard.press('Enter');
  await (await chooser).setFiles({
    name: 'by-keyboard.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from(await madeInvoice()),
  });
  await expect(page.getByRole('button', { name: 'Start with 1 file' })).toBeEnabled();
  await tabTo(page, page.getByRole('button', { name: 'Start with 1 file' }), 12);
});

test('⌘K opens the palette, finds a document and a page, and Escape gives the focus back', async ({
  page,
  signInAs,
  apiAs,
}) => {
  const api = await apiAs('auditor');
  const { tasks } = await api.submit({ agent: 'invoice' }, [
    { name: 'palette-target.pdf', bytes: await madeInvoice('P-1') },
  ]);
  await signInAs('auditor');
  await page.goto('/extractions');
  const { palette, live } = new Shell(page);
  await expect(live).toHaveText('live');
  await page.keyboard.press('ControlOrMeta+k');
  await expect(palette).toBeVisible();
  await page.keyboard.type('palette-target');
  await expect(palette.getByRole('option', { name: /palette-target\.pdf/ }).first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/tasks/${tasks[0]?.id}`);

  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('go to submit');
  await expect(palette.getByRole('option', { name: 'Submit' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/submit');

  const button = page.getByRole('button', { name: 'Search and commands' });
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(palette).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();
  await expect(button).toBeFocused();
});

test('a task’s fields and an operator’s actions are reached by Tab and worked by Enter', async ({
  page,
  signInAs,
  apiAs,
}) => {
  const api = await apiAs('operator');
  await api.patchAgent('general', { paused: true });
  const { tasks } = await api.submit({ agent: 'general' }, [
    { name: 'by-keyboard.pdf', bytes: await madeInvoice('K-1') },
  ]);
  await signInAs('operator');
  const task = new TaskPage(page);
  await task.open(tasks[0]?.id ?? '');
  await expect(new Shell(page).live).toHaveText('live');
  await page.getByRole('main').focus();
  await tabTo(page, task.cancel, 8);
  await page.keyboard.press('Enter');
  const confirm = page.getByRole('button', { name: 'Cancel the task' });
  await expect(confirm).toBeVisible();
  await tabTo(page, confirm, 4);
  await page.keyboard.press('Enter');
  await expect(task.title).toContainText('Cancelled');

  await api.patchAgent('general', { paused: false });
  await tabTo(page, task.retry, 20);
  await page.keyboard.press('Enter');
  await expect(task.title).toContainText('Completed', { timeout: 60_000 });
  const field = page.locator('[data-field]').first();
  await tabTo(page, field, 30);
  await page.keyboard.press('Enter');
  await expect(field).toHaveAttribute('aria-pressed', 'true');
  await expect(task.chosen).toBeInViewport();
});

test('keys of one character can be turned off, and on again where no key is needed', async ({
  page,
  signInAs,
}) => {
  await signInAs('operator');
  await page.goto('/tasks');
  await expect(new Shell(page).live).toHaveText('live');
  const help = page.getByRole('dialog', { name: 'Keyboard' });
  await page.keyboard.press('?');
  await help.getByRole('checkbox', { name: 'Keys of one character' }).uncheck();
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();

  await page.reload();
  await expect(new Shell(page).live).toHaveText('live');
  for (const key of ['?', 'j', 'x', '/']) await page.keyboard.press(key);
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
  await expect(help).toBeHidden();

  await page.getByRole('button', { name: /^Signed in as/ }).click();
  await page.getByRole('menuitem', { name: 'Keyboard' }).click();
  await help.getByRole('checkbox', { name: 'Keys of one character' }).check();
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();
  await page.locator('#content').focus();
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: 'Search' })).toBeFocused();
});
