import { Button } from '../../ui/controls/Button';
import { Progress } from '../../ui/controls/Progress';
import { phaseText } from '../phases';
import type { Pending } from './picture-keeper';

interface PendingLineProps {
  readonly pending: Pending | null;
  readonly onCancel: () => void;
  readonly onRetry: () => void;
}

/** Stands in the panel whose answers are missing: how far they are, or why they do not come, and the way out of it. */
export function PendingLine({ pending, onCancel, onRetry }: PendingLineProps) {
  if (!pending) return null;
  if (pending.status === 'asking') {
    const { phase, fraction } = pending;
    return <Progress label={phaseText(phase)} fraction={fraction > 0 ? fraction : null} onCancel={onCancel} />;
  }
  return (
    <div class={pending.status === 'failed' ? 'notice notice--wrong' : 'notice'} role="status">
      <p>{pending.status === 'failed' ? pending.message : 'Cancelled: what is missing here was not computed.'}</p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}
