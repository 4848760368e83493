import type { Locator, Page } from '@playwright/test';

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** One task: the document beside its fields, and the story below. */
export class TaskPage {
  readonly title: Locator;
  readonly state: Locator;
  readonly pages: Locator;
  /** The place of the chosen field on its page. */
  readonly chosen: Locator;
  readonly attempts: Locator;
  readonly events: Locator;
  readonly usage: Locator;
  readonly cancel: Locator;
  readonly retry: Locator;
  readonly priority: Locator;

  constructor(readonly page: Page) {
    this.title = page.getByRole('heading', { level: 1 });
    this.state = page.getByRole('region', { name: 'State' });
    this.pages = page.getByRole('region', { name: 'Pages' });
    this.chosen = page.locator('[data-mark][data-active]');
    this.attempts = page.getByRole('region', { name: /^Attempts/ }).getByRole('listitem');
    this.events = page.getByRole('region', { name: 'What happened' }).getByRole('listitem');
    this.usage = page.getByRole('region', { name: 'Usage and cost' });
    this.cancel = page.getByRole('button', { name: 'Cancel', exact: true });
    this.retry = page.getByRole('button', { name: 'Retry', exact: true });
    this.priority = page.getByRole('button', { name: /^Priority/ });
  }

  async open(taskId: string): Promise<void> {
    await this.page.goto(`/tasks/${taskId}`);
  }

  /** What leads from a field to its place. */
  field(name: string): Locator {
    return this.page.locator(`[data-field="${name}"]`);
  }

  /** A piece of text as the viewer has laid it over the page's image. */
  printed(text: string): Locator {
    return this.pages.locator('.textLayer span').getByText(text, { exact: true });
  }
}

/** The rectangle of something that is shown. */
export async function rectOf(locator: Locator): Promise<Rect> {
  const rect = await locator.boundingBox();
  if (!rect) throw new Error('it is not shown');
  return rect;
}
