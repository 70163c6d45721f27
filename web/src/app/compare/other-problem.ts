import { useEffect, useState } from 'preact/hooks';
import { ComputeClient } from '../../compute/client';
import { packLink } from '../../link/compress';
import { type LinkContent, MOST_BESIDE, type ParsedLink } from '../../link/field';
import { readLink } from '../../link/read-link';
import { encoded } from '../../link/text';
import type { ComputeResult } from '../../protocol/messages';
import type { Hidden } from '../../protocol/problem';
import { requestOf } from '../../state/exchange';
import type { Problem } from '../../state/problem';

/** The second problem of a comparison, read from its link. */
export interface OtherProblem {
  readonly problem: Problem;
  readonly masked: readonly Hidden[];
}

export type OtherLink = { readonly link: string } | { readonly complaint: string };

/** View fields that follow the page's own view, or belong to the page around it. */
const NOT_ITS_OWN = /^(v|mode|cell|slice|side|lesson|answers|lecture|with|controls)=/;

export const stripped = (hash: string): string =>
  hash
    .split('&')
    .filter((part) => !NOT_ITS_OWN.test(part))
    .join('&');

export async function comparisonLinkOf(state: LinkContent): Promise<OtherLink> {
  const { hash, omitted } = await packLink(state);
  const link = stripped(hash);
  if (omitted.length > 0) return { complaint: `There are too many values in ${omitted.join(', ')} for a link.` };
  if (encoded(link).length > MOST_BESIDE) {
    const [has, most] = [encoded(link).length, MOST_BESIDE].map((count) => count.toLocaleString('en'));
    return { complaint: `The link has ${has} characters. A comparison allows at most ${most}.` };
  }
  return { link };
}

/** Reads a pasted address, or the part after its "#", like any other link. */
export async function pastedLink(text: string): Promise<OtherLink> {
  const hash = text.trim().replace(/^[^#]*#/, '');
  if (hash === '') return { complaint: 'This is not a link of this page: it has nothing after "#".' };
  const parsed = await readLink(hash);
  if (parsed.fault === 'costly') {
    return { complaint: TOO_LARGE };
  }
  const [complaint] = parsed.complaints;
  if (complaint !== undefined) return { complaint };
  if (parsed.missing.length > 0) return { complaint: 'The link refers to values that it does not contain.' };
  return comparisonLinkOf(parsed);
}

interface OtherResults {
  readonly link: string;
  readonly other: OtherProblem;
  readonly result: ComputeResult | null;
  /** Error message if there is no result. */
  readonly failure: string | null;
}

interface OtherLoaded {
  readonly known: OtherResults | null;
  /** Why the other problem cannot be compared; null: it can. */
  readonly complaint: string | null;
  readonly retry: () => void;
}

export const NOT_LOADED = 'Part of the page failed to load. Try again.';
const TOO_LARGE = 'This problem is too large to compare. Open it on its own.';

const complaintOf = ({ fault, complaints: [first = NOT_LOADED] }: ParsedLink): string =>
  fault === 'costly' ? TOO_LARGE : first;

/** Debounce: dragging in the frame changes it many times, and each computation needs a worker. */
const PAUSE_MS = 300;

/**
 * The other problem and its results. The frame does not share its results, so a temporary worker computes them again for the
 * comparison. `known` is null while the link is read, and with a complaint.
 */
export function useOtherProblem(link: string): OtherLoaded {
  const [attempt, setAttempt] = useState(0);
  const [known, setKnown] = useState<OtherResults | null>(null);
  const [complaint, setComplaint] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: results do not start another computation
  useEffect(() => {
    let client: ComputeClient | null = null;
    let closed = false;
    const load = async () => {
      const read = link === '' ? null : await readLink(link);
      if (closed) return;
      setComplaint(read?.fault ? complaintOf(read) : null);
      if (!read || read.fault) return setKnown(null);
      const other: OtherProblem = { problem: read.problem, masked: read.look.masked };
      setKnown((before) => before ?? { link, other, result: null, failure: null });
      client = new ComputeClient();
      const outcome = await client.compute({ ...requestOf(other.problem), hidden: other.masked });
      client.dispose();
      if (closed) return;
      const result = outcome.status === 'done' ? outcome.result : null;
      const failure = outcome.status === 'failed' ? outcome.error.message : null;
      setKnown({ link, other, result, failure });
    };
    const pause = known && link !== '' && link !== known.link ? PAUSE_MS : 0;
    const failed = () => {
      if (closed) return;
      setKnown(null);
      setComplaint(NOT_LOADED);
    };
    const timer = setTimeout(() => load().catch(failed), pause);
    return () => {
      closed = true;
      clearTimeout(timer);
      client?.dispose();
    };
  }, [link, attempt]);
  return { known, complaint, retry: () => setAttempt((before) => before + 1) };
}
