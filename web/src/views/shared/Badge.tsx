import { formatScientific } from '../../ui/quantities';
import type { Answers } from './answers';
import './badge.css';

/** The measured difference of an algorithm's result from the reference, if there is one. */
export function Badge({ answers, algorithm }: { answers: Answers; algorithm: string }) {
  const row = answers.of('compare')[0]?.answer.rows.find((entry) => entry.algorithm === algorithm);
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
