import type { Locator, Page } from '@playwright/test';

/** The list of tasks. */
export class TasksPage {
  readonly table: Locator;
  /** What of the list is in the page: its head, and the rows in and near the view. */
  readonly rows: Locator;
  readonly search: Locator;
  readonly selection: Locator;
  readonly newest: Locator;

  constructor(readonly page: Page) {
    this.table = page.getByRole('table', { name: 'Tasks' });
    this.rows = this.table.getByRole('row');
    this.search = page.getByRole('searchbox', { name: 'Search' });
    this.selection = page.getByRole('region', { name: 'Selection' });
    this.newest = page.getByRole('button', { name: /new tasks?$|The list has changed/ });
  }

  async open(query: Record<string, string> = {}): Promise<void> {
    await this.page.goto(`/tasks?${new URLSearchParams(query)}`);
  }

  row(file: string): Locator {
    return this.rows.filter({ has: this.page.getByTitle(file, { exact: true }) });
  }

  check(file: string): Locator {
    return this.page.getByRole('checkbox', { name: `Select ${file}`, exact: true });
  }

  head(column: string): Locator {
    return this.table.getByRole('columnheader', { name: column });
  }

  /** Chooses from a menu of the page's own. */
  async choose(menu: string, item: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name: menu, exact: true }).click();
    await this.page.getByRole('menu').getByText(item).click();
  }
}
