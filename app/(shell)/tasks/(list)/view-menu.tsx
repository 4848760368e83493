'use client';

import { SlidersHorizontal } from 'lucide-react';
import { Button } from '../../../_ui/button';
import { Menu, MenuCheck, MenuLabel, MenuSeparator } from '../../../_ui/menu';
import { COLUMNS } from './columns';
import { COLUMN_IDS, type ColumnId, DEFAULT_VIEW, type TaskView } from './view-settings';

interface ViewMenuProps {
  readonly view: TaskView;
  readonly onView: (view: TaskView) => void;
}

/** Which columns are shown, and how close the rows stand. */
export function ViewMenu({ view, onView }: ViewMenuProps) {
  const show = (id: ColumnId, on: boolean) =>
    onView({
      ...view,
      columns: COLUMN_IDS.filter((one) => (one === id ? on : view.columns.includes(one))),
    });
  const isDefault =
    view.density === DEFAULT_VIEW.density && view.columns.join() === DEFAULT_VIEW.columns.join();
  return (
    <Menu
      trigger={
        <Button aria-label="View" title="Columns and density">
          <SlidersHorizontal /> <span className="max-sm:sr-only">View</span>
        </Button>
      }
    >
      <MenuCheck
        checked={view.density === 'compact'}
        onChange={(compact) => onView({ ...view, density: compact ? 'compact' : 'normal' })}
      >
        Compact rows
      </MenuCheck>
      <MenuSeparator />
      <MenuLabel>Columns</MenuLabel>
      {COLUMNS.map(({ id, label }) => (
        <MenuCheck key={id} checked={view.columns.includes(id)} onChange={(on) => show(id, on)}>
          {label}
        </MenuCheck>
      ))}
      <MenuSeparator />
      <MenuCheck checked={isDefault} disabled={isDefault} onChange={() => onView(DEFAULT_VIEW)}>
        As it was at first
      </MenuCheck>
    </Menu>
  );
}
