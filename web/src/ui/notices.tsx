import { useEffect, useState } from 'preact/hooks';
import { Button } from './controls/Button';
import { type LazyStatus, PATIENCE_MS } from './lazy';
import { reload } from './reload';
import './controls/message.css';
import './controls/progress.css';

interface LoadingNoticeProps {
  /** The part that loads, as the subject of a sentence: "The explanation". */
  readonly what: string;
  readonly of: readonly { readonly status: { readonly value: LazyStatus }; readonly retry: () => void }[];
}

/** In the place of a part that is loading or failed to load. */
export function LoadingNotice({ what, of }: LoadingNoticeProps) {
  const failed = of.some(({ status }) => status.value === 'failed');
  const damaged = of.some(({ status }) => status.value === 'damaged');
  const loading = of.some(({ status }) => status.value === 'loading');
  const [long, setLong] = useState(false);
  useEffect(() => {
    if (!loading) return;
    const timer = setTimeout(() => setLong(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [loading]);
  if (damaged || failed) {
    return (
      <div class="notice row wrap notice--wrong" role="alert">
        <p>
          {what} failed to load{damaged && ' (damaged file)'}. Try again, or reload the page: the URL contains your
          problem.
        </p>
        <Button
          onClick={() => {
            if (damaged) reload();
            for (const { retry } of of) retry();
          }}
        >
          Try again
        </Button>
        <Button onClick={reload}>Reload the page</Button>
      </div>
    );
  }
  return loading && long ? (
    <p class="late" role="status">
      {what}: loading…
    </p>
  ) : null;
}

/** Why a value was rejected; null: it was accepted. Announced by screen readers when it appears. */
export const RefusalNotice = ({ why }: { readonly why: string | null }) => (
  <span class="refusal" role="alert">
    {why}
  </span>
);

interface ProgressProps {
  readonly label: string;
  /** 0..1, or null if unknown. */
  readonly fraction: number | null;
  /** Missing: the task cannot be cancelled. */
  readonly onCancel?: (() => void) | undefined;
}

export function ProgressBar({ label, fraction, onCancel }: ProgressProps) {
  return (
    <div class="progress row loose">
      <span class="progress__label">{label}</span>
      <progress class="progress__bar" aria-label={label} max={1} value={fraction ?? undefined} />
      {onCancel && <Button onClick={onCancel}>Cancel</Button>}
    </div>
  );
}
