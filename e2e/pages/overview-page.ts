import type { Locator, Page } from '@playwright/test';
import type { TaskStatus } from '@/lib/contract/api';

/** All work at a glance, and the filters above it. */
export class OverviewPage {
  readonly filters: Locator;
  readonly questions: Locator;
  readonly answer: Locator;
  readonly figures: Locator;

  constructor(readonly page: Page) {
    this.filters = page.getByRole('search', { name: 'Filters' });
    this.questions = page.getByRole('region', { name: 'Questions' });
    this.answer = page.getByRole('main').getByRole('status').filter({ hasText: /\.$/ });
    this.figures = page.getByRole('region', { name: 'Figures' });
  }

  async open(search = ''): Promise<void> {
    await this.page.goto(`/${search}`);
  }

  /** The chip of a filter, which opens the choice. */
  chip(label: string): Locator {
    return this.filters.getByRole('button', { name: new RegExp(`^${label}`) });
  }

  /** Opens a chip, chooses some of it and closes it. */
  async choose(label: string, ...choices: readonly string[]): Promise<void> {
    await this.chip(label).click();
    const box = this.page.getByRole('dialog', { name: label });
    for (const choice of choices) await box.getByRole('checkbox', { name: choice, exact: true }).click();
    await this.page.keyboard.press('Escape');
  }

  async chooseRange(word: string): Promise<void> {
    await this.chip('Created').click();
    await this.page.getByRole('dialog', { name: 'Created' }).getByRole('button', { name: word }).click();
  }

  /** How many tasks of a status it shows. */
  async count(status: TaskStatus): Promise<number> {
    const link = this.page
      .getByRole('region', { name: 'Tasks per status' })
      .getByRole('link', { name: new RegExp(`^${status}`, 'i') });
    return Number(((await link.textContent()) ?? '').replace(/\D/g, ''));
  }

  /** A figure's value as the page has it, all digits. */
  money(label: string): Locator {
    return this.figures
      .locator('div')
      .filter({ has: this.page.getByText(label, { exact: true }) })
      .locator('dd data')
      .first();
  }

  chart(title: string): Locator {
    return this.page.getByRole('region', { name: title, exact: true });
  }
}
