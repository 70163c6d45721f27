import { useEffect, useRef, useState } from 'preact/hooks';
import { ComputeClient } from '../../compute/client';
import type { ComputeResult } from '../../protocol/messages';
import { requestOf } from '../../state/problem';
import { type OtherProblem, readOther } from './other-problem';

interface OtherResults {
  readonly link: string;
  readonly other: OtherProblem;
  readonly result: ComputeResult | null;
  /** Error message if there is no result. */
  readonly failure: string | null;
}

/** Debounce: dragging in the frame changes it many times, and each computation needs a worker. */
const PAUSE_MS = 300;

/**
 * The other problem and its results. The frame does not share its results, so a temporary worker computes them again for the
 * comparison. `known` is null while the link is read.
 */
export function useOtherProblem(link: string): { readonly known: OtherResults | null; readonly retry: () => void } {
  const [attempt, setAttempt] = useState(0);
  const [known, setKnown] = useState<OtherResults | null>(null);
  const hasLoaded = useRef(false);
  const lastAttempt = useRef(0);
  useEffect(() => {
    let client: ComputeClient | null = null;
    let closed = false;
    const isRetry = attempt !== lastAttempt.current;
    lastAttempt.current = attempt;
    const load = async () => {
      const other = link === '' ? null : await readOther(link);
      if (closed) return;
      if (!other) return setKnown(null);
      setKnown((before) => before ?? { link, other, result: null, failure: null });
      client = new ComputeClient();
      const outcome = await client.compute({ ...requestOf(other.problem), hidden: other.masked });
      client.dispose();
      if (closed) return;
      const result = outcome.status === 'done' ? outcome.result : null;
      const failure = outcome.status === 'failed' ? outcome.error.message : null;
      setKnown({ link, other, result, failure });
    };
    const pause = hasLoaded.current && link !== '' && !isRetry ? PAUSE_MS : 0;
    const timer = setTimeout(() => load().catch(() => setKnown(null)), pause);
    hasLoaded.current = link !== '';
    return () => {
      closed = true;
      clearTimeout(timer);
      client?.dispose();
    };
  }, [link, attempt]);
  return { known, retry: () => setAttempt((before) => before + 1) };
}
