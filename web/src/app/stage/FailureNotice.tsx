import type { ConvError } from '../../protocol/errors';
import { Button } from '../../ui/controls/Button';

interface FailureNoticeProps {
  readonly error: ConvError;
  readonly onRetry: () => void;
  /** Set if an algorithm that the user chose caused the failure. */
  readonly onRelease: (() => void) | null;
  readonly onReset: () => void;
}

/** An error in place of the view. */
export function FailureNotice({ error, onRetry, onRelease, onReset }: FailureNoticeProps) {
  return (
    <div class="notice notice--wrong" role="alert">
      <p>{sentence(error.message)}</p>
      {onRelease ? (
        <Button onClick={onRelease}>Let the library choose</Button>
      ) : (
        <Button onClick={onRetry}>Try again</Button>
      )}
      <Button onClick={onReset}>Start over</Button>
    </div>
  );
}

function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
