import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../ui/controls/Button';
import type { Page } from '../page/page';

/**
 * Seconds without any message of the worker. Passes report progress several times a second; what reports none, such as
 * generating values, takes seconds on a slow device.
 */
const PATIENCE_S = 30;

/**
 * Offers to start again when the compute engine is silent: a worker that was ended or hangs sends no event. Only the
 * user stops a computation.
 */
export function SilenceNotice({ client, store }: Pick<Page, 'client' | 'store'>) {
  const { activity } = client.status.value;
  const [silent, setSilent] = useState(false);
  const [waits, setWaits] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every message and every decision to wait start again
  useEffect(() => {
    setSilent(false);
    if (!activity) return;
    // In ticks: a page that the browser suspended has not waited.
    let left = PATIENCE_S;
    const timer = setInterval(() => {
      left -= 1;
      if (left === 0) setSilent(true);
    }, 1000);
    return () => clearInterval(timer);
  }, [activity, waits]);
  if (!silent) return null;
  return (
    <div class="corner__notice row wrap loose overlay" role="status">
      <p>The compute engine has reported nothing for {PATIENCE_S} seconds. It may have stopped.</p>
      <Button
        onClick={() => {
          client.cancel();
          store.retry();
        }}
      >
        Try again
      </Button>
      <Button onClick={() => setWaits(waits + 1)}>Wait</Button>
    </div>
  );
}
