import type { LookStore } from '../../look/look-store';
import { Button } from '../../ui/controls/Button';
import { ProgressBar } from '../../ui/notices';
import { type Pending, phaseText } from './answered-subject';

/** The status of missing answers: progress, failure, or hidden values, with the actions for each. */
export function PendingLine({
  pending,
  look,
  onElsewhere,
  cancel,
  retry,
}: {
  pending: Pending | null;
  /** Set if hidden values can be revealed here. */
  look?: LookStore | undefined;
  /** Opens a view that works with hidden values. */
  onElsewhere?: (() => void) | undefined;
  cancel: () => void;
  retry: () => void;
}) {
  if (!pending) return null;
  if (pending.status === 'asking') {
    const { phase, fraction } = pending;
    return <ProgressBar label={phaseText(phase)} fraction={fraction > 0 ? fraction : null} onCancel={cancel} />;
  }
  if (pending.status === 'hidden') {
    const locked = look?.locked.value.includes('hide');
    return (
      <div class="notice row wrap" role="status">
        <p>
          This needs all values of the problem, and some are hidden.
          {locked && ' Revealing them is locked by this link.'}
        </p>
        {look && !locked && (
          <Button
            onClick={() => {
              look.hiddenCells.value = [];
            }}
          >
            Reveal all values
          </Button>
        )}
        {onElsewhere && <Button onClick={onElsewhere}>Open Overview</Button>}
      </div>
    );
  }
  return (
    <div class={pending.status === 'failed' ? 'notice row wrap notice--wrong' : 'notice row wrap'} role="status">
      <p>{pending.status === 'failed' ? pending.message : 'Canceled. Some results are missing.'}</p>
      <Button onClick={retry}>Try again</Button>
    </div>
  );
}
