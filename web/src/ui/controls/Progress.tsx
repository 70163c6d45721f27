import { Button } from './Button';
import './progress.css';

interface ProgressProps {
  /** The task, as text for the user. */
  readonly label: string;
  /** 0..1, or null if unknown. */
  readonly fraction: number | null;
  /** Missing: the task cannot be cancelled. */
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
