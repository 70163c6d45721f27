import { Button } from './Button';
import './progress.css';

interface ProgressProps {
  /** What is being done, for a person. */
  readonly label: string;
  /** 0..1, or null while nobody knows. */
  readonly fraction: number | null;
  /** Left out where there is nothing to cancel. */
  readonly onCancel?: (() => void) | undefined;
}

export function Progress({ label, fraction, onCancel }: ProgressProps) {
  return (
    <div class="progress">
      <span class="progress__label">{label}</span>
      <progress class="progress__bar" aria-label={label} max={1} value={fraction ?? undefined} />
      {onCancel && <Button onClick={onCancel}>Cancel</Button>}
    </div>
  );
}
