import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { madeInvoice, NOT_A_PDF, sample } from './documents';
import { expect, test } from './fixtures';
import { Shell } from './pages/shell';
import { SubmitPage } from './pages/submit-page';
import { TaskPage } from './pages/task-page';

/** First-load scripts of a page, packed: what a page may ask of a slow line before it works. What is drawn comes after. */
const MAX_FIRST_LOAD_BYTES = 250_000;
/** WCAG 2.5.8 asks for 24 CSS pixels; a thumb for more. */
const MIN_TARGET_PX = 36;
/** The share of the view that may move while a page settles. */
const MAX_LAYOUT_SHIFT = 0.02;

let paths: { readonly extraction: string; readonly completed: string; readonly failed: string };

test.beforeAll(async ({ apiAs }) => {
  const api = await apiAs('operator');
  const files = [
    { name: 'rechnung.pdf', bytes: await sample('rechnung-nordlicht.pdf') },
    { name: 'lantern.pdf', bytes: await madeInvoice() },
    { name: `${'a-long-name-without-any-space-'.repeat(6)}.pdf`, bytes: NOT_A_PDF },
  ];
  // Both projects look at the same documents: the same key gives the same answer.
  const key = createHash('sha256')
    .update(Buffer.concat(files.map(({ bytes }) => bytes)))
    .digest('hex');
  const fields = { agent: 'invoice', client: 'Moorland Estates', name: 'Looked at closely' };
  const { extraction, tasks } = await api.submit(fields, files, key);
  const [completed, , failed] = tasks.map(({ id }) => id);
  for (const { id } of tasks) await api.until(id, 'completed', 'failed');
  paths = {
    extraction: `/extractions/${extraction.id}`,
    completed: `/tasks/${completed}`,
    failed: `/tasks/${failed}`,
  };
});

// Colours are judged where they end: in the middle of a change of theme there is no right contrast.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { layoutShifts: shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      })[]) {
        if (!entry.hadRecentInput) shifts.push(entry.value);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
});

async function expectGood(page: Page): Promise<void> {
  const shifts = await page.evaluate(() => (window as unknown as { layoutShifts: number[] }).layoutShifts);
  expect(
    shifts.reduce((sum, shift) => sum + shift, 0),
    'layout shift',
  ).toBeLessThan(MAX_LAYOUT_SHIFT);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, 'pixels beyond the right edge').toBeLessThanOrEqual(0);
  await expectAccessible(page);
}

/** The whole of axe in light, and in dark what depends on colour. */
async function expectAccessible(page: Page): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    // Without frames there is nothing to gather from a second page, which would be opened and closed each time.
    const axe = new AxeBuilder({ page }).setLegacyMode(true);
    if (theme === 'dark') axe.withRules(['color-contrast']);
    const { violations } = await axe.analyze();
    const found = violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      nodes: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`),
    }));
    expect(found, theme).toEqual([]);
  }
}

interface Place {
  readonly name: string;
  readonly path: () => string;
  /** Something that is there once the page has all its data. */
  readonly settled: (page: Page) => ReturnType<Page['locator']>;
}

const PLACES: readonly Place[] = [
  {
    name: 'submit',
    path: () => '/submit',
    settled: (page) => page.getByRole('button', { name: 'Try with sample documents' }),
  },
  {
    name: 'extractions',
    path: () => '/extractions',
    settled: (page) => page.getByRole('link', { name: 'Looked at closely' }).first(),
  },
  { name: 'one extraction', path: () => paths.extraction, settled: (page) => page.getByText('What failed') },
  { name: 'tasks', path: () => '/tasks', settled: (page) => page.getByRole('row').nth(3) },
  {
    name: 'a completed task',
    path: () => paths.completed,
    settled: (page) => page.getByRole('heading', { name: 'What happened' }),
  },
  { name: 'a failed task', path: () => paths.failed, settled: (page) => new TaskPage(page).state },
  { name: 'overview', path: () => '/', settled: (page) => page.locator('.recharts-bar').first() },
  { name: 'agents', path: () => '/agents', settled: (page) => page.getByText('In flight').first() },
  {
    name: 'an agent',
    path: () => '/agents/invoice',
    settled: (page) => page.getByRole('heading', { name: 'History' }),
  },
  {
    name: 'health',
    path: () => '/health',
    settled: (page) => page.getByRole('table', { name: 'Tables' }),
  },
  { name: 'nothing', path: () => '/tasks/nothing', settled: (page) => page.getByText('Nothing is here') },
];

for (const { name, path, settled } of PLACES) {
  test(`the page of ${name} is steady, fits and is accessible in light and dark`, { tag: '@phone' }, async ({
    page,
    signInAs,
    console,
  }) => {
    console.expect(/status of 404/);
    await signInAs('operator');
    await page.goto(path());
    await expect(settled(page)).toBeVisible();
    await expect(new Shell(page).live).toHaveText('live');
    await expectGood(page);
  });
}

test('what each page loads first is within its budget', async ({ page, signInAs, context }) => {
  await signInAs('operator');
  const sizes = new Map<string, number>();
  const sizeOf = async (src: string) => {
    const known = sizes.get(src) ?? gzipSync(await (await context.request.get(src)).body()).byteLength;
    sizes.set(src, known);
    return known;
  };
  const over: string[] = [];
  for (const { name, path } of PLACES) {
    const html = await (await page.request.get(path())).text();
    const scripts = [...html.matchAll(/<script([^>]*) src="([^"]+)"([^>]*)>/g)]
      // What only browsers without modules load.
      .filter(([, before, , after]) => !/nomodule/i.test(`${before}${after}`))
      .map(([, , src]) => src ?? '');
    const packed = await Promise.all([...new Set(scripts)].map(sizeOf));
    const total = packed.reduce((sum, size) => sum + size, 0);
    const told = `${name}: ${(total / 1000).toFixed(1)} kB`;
    test.info().annotations.push({ type: 'first-load JS, gzip', description: told });
    if (total > MAX_FIRST_LOAD_BYTES) over.push(told);
  }
  expect(over).toEqual([]);
});

test('on a phone every page is at hand, what is pressed is large enough, and nothing unseen takes the focus', {
  tag: '@phone-only',
}, async ({ page, signInAs }) => {
  await signInAs('operator');
  await page.goto('/tasks');
  await expect(page.getByRole('row').nth(3)).toBeVisible();
  await page.locator('#content').focus();
  for (let step = 0; step < 25; step += 1) {
    await page.keyboard.press('Tab');
    const unseen = await page.evaluate(() => {
      const at = document.activeElement;
      const { width, height } = at?.getBoundingClientRect() ?? { width: 0, height: 0 };
      return at === null || at.closest('.sr-only') !== null || width < 2 || height < 2 ? at?.outerHTML : null;
    });
    expect(unseen, 'focused and not to be seen').toBeNull();
  }
  for (const path of ['/', '/submit', '/extractions', '/tasks', paths.completed]) {
    await page.goto(path);
    await expect(new Shell(page).live).toHaveText('live');
    const small = await page.evaluate((least) => {
      const seen = document.querySelectorAll<HTMLElement>('button, select, input:not([type=checkbox])');
      return [...seen]
        .filter((one) => one.checkVisibility() && !one.closest('.textLayer, dd, dt, p, li li'))
        .map((one) => ({ one, box: one.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 1 && Math.round(box.height) < least)
        .map(({ one, box }) => `${one.outerHTML.slice(0, 120)} ${Math.round(box.height)}`);
    }, MIN_TARGET_PX);
    expect(small, path).toEqual([]);
  }
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Agents' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Agents' })).toBeVisible();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Health' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Health' })).toBeVisible();
});

test('the sign-in is steady, fits and is accessible in light and dark', {
  tag: ['@phone', '@embedded'],
}, async ({ page }) => {
  await page.goto('/signin');
  await expectGood(page);
});

test('chosen files, dialogs and menus are accessible in light and dark', { tag: '@phone' }, async ({
  page,
  signInAs,
  isMobile,
}) => {
  // Ten times the whole of axe, each over a large page.
  test.slow();
  await signInAs('operator');
  const submit = new SubmitPage(page);
  await submit.open();
  const bytes = await madeInvoice();
  await submit.drop([
    { name: 'first.pdf', bytes },
    { name: 'second.pdf', bytes },
    { name: 'empty.pdf', bytes: Buffer.alloc(0) },
  ]);
  await expect(submit.file('second.pdf')).toContainText('same content');
  await expectAccessible(page);

  await page.goto('/agents');
  await page.getByRole('button', { name: 'Edit' }).first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Theme' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Search and commands' }).click();
  await page.getByRole('dialog').getByRole('combobox').fill('lantern');
  await expect(page.getByRole('option', { name: /lantern\.pdf/ }).first()).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  await page.goto('/tasks');
  await page
    .getByRole('checkbox', { name: /^Select lantern/ })
    .first()
    .check();
  await expect(page.getByRole('region', { name: 'Selection' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Act on all' }).click();
  await page.getByRole('menuitem', { name: /^Change the priority/ }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  const task = new TaskPage(page);
  await page.goto(paths.completed);
  await page.getByText('Raw result').click();
  if (isMobile) await page.getByRole('button', { name: 'Document' }).click();
  await expect(task.pages.locator('canvas').first()).toBeVisible();
  await expectAccessible(page);
});
