import type { Locator, Page } from '@playwright/test';

/** What surrounds every page: rail, top bar, palette. */
export class Shell {
  readonly rail: Locator;
  readonly live: Locator;
  readonly palette: Locator;

  constructor(private readonly page: Page) {
    this.rail = page.getByRole('navigation', { name: 'Main' });
    this.live = page.getByTitle('How fresh this page is');
    this.palette = page.getByRole('dialog', { name: 'Search and commands' });
  }

  /** The rail's entries in their order. */
  async destinations(): Promise<string[]> {
    return (await this.rail.getByRole('listitem').allTextContents()).map((text) => text.trim());
  }

  /** A message that says what became of an action. */
  toast(text: string | RegExp): Locator {
    return this.page.getByRole('region', { name: /^Notifications/ }).getByText(text);
  }

  async signOut(): Promise<void> {
    await this.page.getByRole('button', { name: /^Signed in as/ }).click();
    await this.page.getByRole('menuitem', { name: 'Sign out' }).click();
  }
}
