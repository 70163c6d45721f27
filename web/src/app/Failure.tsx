import type { ConvError } from '../protocol/errors';
import { Button } from '../ui/controls/Button';

interface FailureProps {
  readonly error: ConvError;
  readonly onRetry: () => void;
  /** Where an algorithm that somebody chose is to blame. */
  readonly onRelease: (() => void) | null;
  readonly onReset: () => void;
}

/** Stands where the picture would be. */
export function Failure({ error, onRetry, onRelease, onReset }: FailureProps) {
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
