import { cn } from './cn';

interface ProgressProps {
  readonly label: string;
  /** Between 0 and 1. */
  readonly value: number;
  readonly className?: string;
}

/** How far one thing has come. */
export function Progress({ label, value, className }: ProgressProps) {
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className={cn('h-1 w-full overflow-hidden rounded-full bg-line', className)}
    >
      <div
        className="h-full origin-left rounded-full bg-accent transition-transform duration-[180ms]"
        style={{ transform: `scaleX(${percent / 100})` }}
      />
    </div>
  );
}
