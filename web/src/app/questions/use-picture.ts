import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ComputeClient } from '../../compute/client';
import { late } from '../../ui/late';
import type { Answers } from '../../views/kit/answers';
import type { Kept, Manner, PictureKeeper, Subject } from './picture-keeper';

interface Options extends Manner {
  /** Somebody points at it: before all that is not urgent. */
  readonly urgent?: boolean;
}

export interface Watched<Content> extends Omit<Kept<Content>, 'asked'> {
  readonly cancel: () => void;
  readonly retry: () => void;
}

const NO_ANSWERS: Answers = { get: () => null, of: () => [] };

/** The page opens with a picture that asks nothing. */
export const keepers = late(async () => (await import('./picture-keeper')).createKeeper);

/** Until work that goes on is spoken of, in milliseconds. */
const PATIENCE_MS = 200;

/**
 * The one way from a question to the screen: asks what `subject` needs and says what may be drawn by now. `subject` must be
 * the same object until it changes.
 */
export function usePicture<Content>(
  client: ComputeClient,
  subject: Subject<Content> | null,
  manner: Options = {},
): Watched<Content> {
  const held = useRef<PictureKeeper<Content> | null>(null);
  const [, tick] = useState(0);
  const asks = subject !== null && (subject.questions.length > 0 || manner.beside != null);
  const create = asks ? keepers() : null;
  if (create) held.current ??= create<Content>(client);
  const keeper = held.current;
  if (!asks) keeper?.clear();
  const kept = asks && keeper ? keeper.next(subject, manner, performance.now()) : null;
  const asked = kept?.asked ?? null;
  // What is asked is asked at once: an effect after painting would cost a frame.
  const { urgent = false } = manner;
  useLayoutEffect(() => {
    if (asked) keeper?.ask(asked, urgent);
    else keeper?.release();
  }, [keeper, asked, urgent]);
  useLayoutEffect(() => () => held.current?.release(), []);
  useEffect(() => {
    if (!asked) return;
    const timer = setTimeout(() => tick((times) => times + 1), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [asked]);
  return {
    picture: asks || !subject ? (kept?.picture ?? null) : { ...subject, answers: NO_ANSWERS },
    pending: kept?.pending ?? null,
    cancel: () => keeper?.cancel(),
    retry: () => keeper?.retry(),
  };
}
