import { useEffect, useState } from 'preact/hooks';
import { BREAKPOINTS } from '../../ui/breakpoints';

/** Whether the page is wide enough for three columns. */
export function useWide(): boolean {
  const [wide, setWide] = useState(() => matchMedia(BREAKPOINTS.wide).matches);
  useEffect(() => {
    const query = matchMedia(BREAKPOINTS.wide);
    const follow = () => setWide(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  return wide;
}
