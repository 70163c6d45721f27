import { useEffect, useState } from 'preact/hooks';

/** Work shorter than this is over before a bar could be read. */
const PATIENCE = 200;

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
