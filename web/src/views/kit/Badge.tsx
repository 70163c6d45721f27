import type { Comparison } from '../../protocol/questions';
import { formatScientific } from '../../ui/quantities';
import './badge.css';

interface BadgeProps {
  readonly comparison: Comparison | undefined;
  readonly algorithm: string;
}

/** The measured difference of an algorithm's result from the reference, if there is one. */
export function Badge({ comparison, algorithm }: BadgeProps) {
  const row = comparison?.rows.find((entry) => entry.algorithm === algorithm);
  if (!row) return null;
  const { max_abs_difference: difference, error } = row;
  // NaN: the values are hidden.
  if (difference === 0 || Number.isNaN(difference)) return null;
  return (
    <p class="badge wrap caption">
      <code>{algorithm}</code>
      <span title="The largest difference from the result of the reference">
        {difference === null ? (error?.message ?? 'did not run') : `max error: ${formatScientific(difference, 3)}`}
      </span>
    </p>
  );
}
