import { useEffect, useState } from 'preact/hooks';
import { Button } from './controls/Button';
import { type LateStatus, PATIENCE_MS } from './late';

interface LateNoticeProps {
  /** What is fetched: "The explanation". */
  readonly what: string;
  readonly of: readonly {
    readonly status: { readonly value: LateStatus };
    readonly retry: () => void;
  }[];
}

/** Where something is missing that is still being fetched, or could not be. */
export function LateNotice({ what, of }: LateNoticeProps) {
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
      <div class="notice notice--wrong" role="alert">
        <p>
          {what} {damaged ? 'arrived damaged' : 'could not be fetched'}. If trying again does not help, load the page
          again: its address keeps your problem.
        </p>
        <Button
          onClick={() => {
            if (damaged) location.reload();
            for (const { retry } of of) retry();
          }}
        >
          Try again
        </Button>
        <Button onClick={() => location.reload()}>Load the page again</Button>
      </div>
    );
  }
  return loading && long ? (
    <p class="late" role="status">
      {what}: being fetched …
    </p>
  ) : null;
}
