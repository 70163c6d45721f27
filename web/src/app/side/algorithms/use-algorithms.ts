import { useMemo } from 'preact/hooks';
import type { ComputeClient } from '../../../compute/client';
import type { Shown } from '../../../state/problem';
import { useAnsweredSubject } from '../../questions/answered-subject';

const QUESTION = { kind: 'algorithms' } as const;

/** A result with the library's lists of algorithms for its problem; null until the library has answered. */
export function useAlgorithms(client: ComputeClient, result: Shown | null) {
  const subject = useMemo(
    () => result && { of: QUESTION, revision: result.revision, content: result, questions: [QUESTION] },
    [result],
  );
  const { answered, ...rest } = useAnsweredSubject(client, subject, { fillsIn: true, urgent: true });
  return { ...rest, result: answered?.content ?? null, lists: answered?.answers.get(QUESTION) ?? null };
}
