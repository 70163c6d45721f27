import { useEffect, useState } from 'preact/hooks';
import type { ClientStatus } from '../compute/status';
import { Progress } from '../ui/controls/Progress';

interface ActivityProps {
  readonly status: ClientStatus;
  /** A problem is being computed whose picture is not on the screen yet. */
  readonly computing: boolean;
  readonly onCancel: () => void;
}

/** Work shorter than this is over before a bar could be read. */
const PATIENCE = 200;

/** The progress of long work. */
export function Activity({ status, computing, onCancel }: ActivityProps) {
  const busy = computing || status.activity !== null;
  const long = useLong(busy);
  const { activity } = status;
  if (!long) return null;
  return (
    <div class="activity">
      <Progress
        label={status.worker === 'starting' ? 'Loading the kernels' : phaseText(activity?.phase ?? '')}
        fraction={activity && activity.fraction > 0 ? activity.fraction : null}
        onCancel={onCancel}
      />
    </div>
  );
}

const PHASES: Readonly<Record<string, string>> = {
  forward: 'Computing y',
  backward_data: 'Computing dx',
  backward_weights: 'Computing dw',
  backward_bias: 'Computing db',
};

function phaseText(phase: string): string {
  return PHASES[phase] ?? (phase === '' ? 'Computing' : phase.charAt(0).toUpperCase() + phase.slice(1));
}

/** True once `busy` has lasted. */
export function useLong(busy: boolean): boolean {
  const [long, setLong] = useState(false);
  useEffect(() => {
    if (!busy) {
      setLong(false);
      return;
    }
    const timer = setTimeout(() => setLong(true), PATIENCE);
    return () => clearTimeout(timer);
  }, [busy]);
  return busy && long;
}
