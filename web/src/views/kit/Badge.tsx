import type { Comparison } from '../../protocol/questions';
import { formatScientific } from '../../ui/quantities';
import './badge.css';

interface BadgeProps {
  readonly comparison: Comparison | undefined;
  readonly algorithm: string;
}

/** The algorithm of a way, run by itself and measured: never a constant. */
export function Badge({ comparison, algorithm }: BadgeProps) {
  const row = comparison?.rows.find((entry) => entry.algorithm === algorithm);
  if (!row) return null;
  const { max_abs_difference: difference, error } = row;
  return (
    <p class="badge">
      <span>
        algorithm <code>{algorithm}</code>
      </span>
      <span>
        {difference === null
          ? (error?.message ?? 'did not run')
          : `max |difference| to the reference: ${formatScientific(difference, 3)}`}
      </span>
    </p>
  );
}
