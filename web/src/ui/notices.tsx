import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from './controls/Button';
import { failureText, type Lazy, type Loading, loadingText, PATIENCE_MS } from './lazy';
import { reload } from './reload';
import './controls/message.css';
import './controls/progress.css';

/** In the place of a part that is loading or failed to load. */
export function LoadingNotice({ of: { what, status, retry } }: { of: Loading }) {
  const loading = status.value === 'loading';
  const damaged = status.value === 'damaged';
  const [long, setLong] = useState(false);
  useEffect(() => {
    if (!loading) return;
    const timer = setTimeout(() => setLong(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [loading]);
  if (damaged || status.value === 'failed') {
    return (
      <div class="notice row wrap notice--wrong" role="alert">
        <p>{failureText(what, damaged)}</p>
        <Button onClick={damaged ? reload : retry}>Try again</Button>
        <Button onClick={reload}>Reload the page</Button>
      </div>
    );
  }
  return loading && long ? (
    <p class="late" role="status">
      {loadingText(what)}
    </p>
  ) : null;
}

interface LateProps<Loaded> {
  readonly part: Lazy<Loaded>;
  readonly children: (loaded: Loaded) => ComponentChildren;
}

/** A part that loads when it is first shown, or its notice. */
export function Late<Loaded>({ part, children }: LateProps<Loaded>) {
  const loaded = part();
  return loaded === null ? <LoadingNotice of={part} /> : children(loaded);
}

/** Why a value was rejected; null: it was accepted. Announced by screen readers when it appears. */
export const RefusalNotice = ({ why }: { why: string | null }) => (
  <span class="refusal" role="alert">
    {why}
  </span>
);

export function ProgressBar({
  label,
  fraction,
  onCancel,
}: {
  label: string;
  /** 0..1, or null if unknown. */
  fraction: number | null;
  /** Missing: the task cannot be cancelled. */
  onCancel?: (() => void) | undefined;
}) {
  return (
    <div class="progress row loose">
      <span class="progress__label">{label}</span>
      <progress class="progress__bar" aria-label={label} max={1} value={fraction ?? undefined} />
      {onCancel && <Button onClick={onCancel}>Cancel</Button>}
    </div>
  );
}
