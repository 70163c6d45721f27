import { useEffect, useState } from 'preact/hooks';

/** Time in ms. Shorter work ends before a progress bar could be read. */
const DELAY_MS = 200;

/** True once `busy` has lasted 200 ms. */
export function useLongRunning(busy: boolean): boolean {
  const [long, setLong] = useState(false);
  useEffect(() => {
    if (!busy) {
      setLong(false);
      return;
    }
    const timer = setTimeout(() => setLong(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, [busy]);
  return busy && long;
}
