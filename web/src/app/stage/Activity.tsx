import type { ClientStatus } from '../../compute/status';
import { Progress } from '../../ui/notices';
import { phaseText } from '../questions/phases';
import { useLongRunning } from './use-long-running';
import './activity.css';

interface ActivityProps {
  readonly status: ClientStatus;
  /** A problem is being computed and is not drawn yet. */
  readonly computing: boolean;
  /** A link is being read. */
  readonly reading: boolean;
  readonly onCancel: () => void;
}

/** The progress of long work. */
export function Activity({ status, computing, reading, onCancel }: ActivityProps) {
  // Questions show their progress in the panel that waits for the answer.
  const busy = computing || (status.activity !== null && status.activity.type !== 'question');
  const long = useLongRunning(busy || reading);
  const { activity } = status;
  if (!long) return null;
  const name = status.worker === 'starting' ? 'Loading the compute engine' : phaseText(activity?.phase ?? '');
  return (
    <div class="activity">
      <Progress
        label={busy ? name : 'Opening the link'}
        fraction={activity && activity.fraction > 0 ? activity.fraction : null}
        onCancel={busy ? onCancel : undefined}
      />
    </div>
  );
}
