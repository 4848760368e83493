interface PointCardProps {
  readonly title: string;
  readonly lines: readonly { readonly label: string; readonly value: string; readonly color?: string }[];
}

/** What is under the pointer, in numbers. */
export function PointCard({ title, lines }: PointCardProps) {
  return (
    <div className="rounded-md border border-line bg-surface px-3 py-2 text-xs shadow-float">
      <p className="mb-1 font-medium">{title}</p>
      {lines.map(({ label, value, color }) => (
        <p key={label} className="flex items-center gap-1.5">
          {color && <span className="size-2 rounded-sm" style={{ backgroundColor: color }} />}
          <span className="text-muted">{label}</span>
          <span className="tabular ms-auto ps-4">{value}</span>
        </p>
      ))}
    </div>
  );
}
