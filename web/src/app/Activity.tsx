import type { ClientStatus } from '../compute/status';
import { Progress } from '../ui/controls/Progress';
import { phaseText } from './phases';
import { useLong } from './use-long';
import './activity.css';

interface ActivityProps {
  readonly status: ClientStatus;
  /** A problem is being computed whose picture is not on the screen yet. */
  readonly computing: boolean;
  readonly onCancel: () => void;
}

/** The progress of long work. */
export function Activity({ status, computing, onCancel }: ActivityProps) {
  // Questions show their progress where their answers are missing.
  const busy = computing || (status.activity !== null && status.activity.type !== 'question');
  const long = useLong(busy);
  const { activity } = status;
  if (!long) return null;
  return (
    <div class="activity">
      <Progress
        label={status.worker === 'starting' ? 'Loading the library' : phaseText(activity?.phase ?? '')}
        fraction={activity && activity.fraction > 0 ? activity.fraction : null}
        onCancel={onCancel}
      />
    </div>
  );
}
