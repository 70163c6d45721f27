import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ComputeClient } from '../../compute/client';
import { questionsOf } from '../../compute/questions';
import type { Answers } from '../../views/kit/answers';
import { AnswerTracker, type Subject, type Tracked, type TrackOptions } from './answer-tracker';

interface Options extends TrackOptions {
  /** For the current cell: asked before questions that are not urgent. */
  readonly urgent?: boolean;
}

export interface Watched<Content> extends Omit<Tracked<Content>, 'asked'> {
  readonly cancel: () => void;
  readonly retry: () => void;
}

const NO_ANSWERS: Answers = { get: () => null, of: () => [] };

/** Delay in ms before progress is shown. */
const PATIENCE_MS = 200;

/** Asks the questions of `subject` and returns what to draw. `subject` must be the same object until it changes. */
export function useAnsweredSubject<Content>(
  client: ComputeClient,
  subject: Subject<Content> | null,
  options: Options = {},
): Watched<Content> {
  const held = useRef<AnswerTracker<Content> | null>(null);
  const [, tick] = useState(0);
  const asks = subject !== null && (subject.questions.length > 0 || options.shownRevision != null);
  if (asks) held.current ??= new AnswerTracker<Content>(questionsOf(client));
  const tracker = held.current;
  if (!asks) tracker?.clear();
  const tracked = asks && tracker ? tracker.next(subject, options, performance.now()) : null;
  const asked = tracked?.asked ?? null;
  // A layout effect: an effect after painting would cost a frame.
  const { urgent = false } = options;
  useLayoutEffect(() => {
    if (asked) tracker?.ask(asked, urgent);
    else tracker?.release();
  }, [tracker, asked, urgent]);
  useLayoutEffect(() => () => held.current?.release(), []);
  useEffect(() => {
    if (!asked) return;
    const timer = setTimeout(() => tick((times) => times + 1), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [asked]);
  return {
    answered: asks || !subject ? (tracked?.answered ?? null) : { ...subject, answers: NO_ANSWERS },
    pending: tracked?.pending ?? null,
    cancel: () => tracker?.cancel(),
    retry: () => tracker?.retry(),
  };
}
