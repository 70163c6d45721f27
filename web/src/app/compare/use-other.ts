import { useEffect, useRef, useState } from 'preact/hooks';
import { ComputeClient } from '../../compute/client';
import type { ComputeResult } from '../../protocol/messages';
import { requestOf } from '../../state/problem';
import { type Other, readOther } from './other';

interface Known {
  readonly link: string;
  readonly other: Other;
  readonly result: ComputeResult | null;
}

/** What is changed over there goes on while somebody drags: a worker for each step would be wasted. */
const PAUSE_MS = 300;

/**
 * The other problem, and what the library makes of it: its frame shows the numbers and keeps them. Here they are computed once
 * more, by a worker that ends with it, to be compared. Null while it is read.
 */
export function useOther(link: string): Known | null {
  const [known, setKnown] = useState<Known | null>(null);
  const heard = useRef(false);
  useEffect(() => {
    let client: ComputeClient | null = null;
    let gone = false;
    const learn = async () => {
      const other = link === '' ? null : await readOther(link);
      if (gone) return;
      if (!other) return setKnown(null);
      setKnown((before) => before ?? { link, other, result: null });
      client = new ComputeClient();
      const outcome = await client.compute({ ...requestOf(other.problem), hidden: other.masked });
      client.dispose();
      if (!gone) setKnown({ link, other, result: outcome.status === 'done' ? outcome.result : null });
    };
    const timer = setTimeout(() => learn().catch(() => setKnown(null)), heard.current && link !== '' ? PAUSE_MS : 0);
    heard.current = link !== '';
    return () => {
      gone = true;
      clearTimeout(timer);
      client?.dispose();
    };
  }, [link]);
  return known;
}
