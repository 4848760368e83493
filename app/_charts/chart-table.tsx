import type { CSSProperties } from 'react';
import { ScrollRegion } from '../_ui/scroll-region';

interface ChartTableProps {
  /** What the table is called. */
  readonly label: string;
  readonly columns: readonly string[];
  /** The first cell names the row. */
  readonly rows: readonly (readonly string[])[];
  /** Of the chart whose place it takes. */
  readonly size: CSSProperties;
}

/** A chart's numbers. */
export function ChartTable({ label, columns, rows, size }: ChartTableProps) {
  const [head, ...others] = columns;
  return (
    <ScrollRegion label={`${label}, scrollable`} className="scroll-cue relative overflow-auto" style={size}>
      <table className="w-full border-collapse text-sm">
        <thead className="sticky top-0 bg-bg">
          <tr>
            <th scope="col" className="h-8 pe-3 text-left font-medium text-muted text-xs">
              {head}
            </th>
            {others.map((column) => (
              <th
                key={column}
                scope="col"
                className="whitespace-nowrap px-3 text-right font-medium text-muted text-xs last:pe-0"
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={name} className="h-7 border-line border-t">
              <th scope="row" className="whitespace-nowrap pe-3 text-left font-normal">
                {name}
              </th>
              {cells.map((cell, column) => (
                <td key={others[column]} className="tabular whitespace-nowrap px-3 text-right last:pe-0">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
