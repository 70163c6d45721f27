import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ComputeClient } from '../../compute/client';
import { keyOf, type QuestionState, type Questions, questionsOf } from '../../compute/questions';
import { PASSES, RESULT_OF } from '../../protocol/problem';
import type { AnswerOf, Question, QuestionKind } from '../../protocol/questions';
import type { Answered, Answers } from '../../views/kit/answers';

/** Content to draw, and the questions that it needs answers to. */
export interface QuestionSubject<Content> {
  /** Identity of the view or cell: answers of another one are never shown in its place. */
  readonly of: unknown;
  readonly revision: number;
  /** The layer that the questions are about, counted from 0. */
  readonly layer: number;
  readonly content: Content;
  readonly questions: readonly Question[];
}

interface AnsweredSubject<Content> extends QuestionSubject<Content> {
  readonly answers: Answers;
}

/** Unanswered questions: running, failed, refused or canceled. */
export type Pending =
  | { readonly status: 'asking'; readonly phase: string; readonly fraction: number }
  | { readonly status: 'failed'; readonly message: string }
  /** Not answered while values are hidden. */
  | { readonly status: 'hidden' }
  | { readonly status: 'cancelled' };

interface Tracked<Content> {
  /** What to draw; null while no consistent state is available. */
  readonly answered: AnsweredSubject<Content> | null;
  readonly pending: Pending | null;
  /** The subject of the questions that are being asked. */
  readonly asked: QuestionSubject<Content>;
}

interface Options {
  /** Draw partial answers while the rest is missing. */
  readonly fillsIn?: boolean;
  /** The revision that is drawn next to it: other revisions are not shown. Null: independent. */
  readonly shownRevision?: number | null;
  /** For the current cell: asked before questions that are not urgent. */
  readonly urgent?: boolean;
}

/** Time in ms that the previous subject stays, before an incomplete one replaces it, and before progress is shown. */
export const ANSWER_PATIENCE_MS = 200;

interface AskedSubject<Content> {
  readonly subject: QuestionSubject<Content>;
  readonly states: readonly QuestionState[];
  readonly since: number;
}

/**
 * Decides what is drawn while answers arrive. An answer is only drawn with the content that it was asked with: the
 * result is one subject, complete or (with `fillsIn`) with gaps for missing answers.
 */
export class AnswerTracker<Content> {
  readonly #questions: Questions;
  #asked: { readonly subject: QuestionSubject<Content>; readonly since: number } | null = null;
  #shown: AnsweredSubject<Content> | null = null;
  /** Time since which an earlier problem is shown. */
  #behind: number | null = null;

  constructor(questions: Questions) {
    this.#questions = questions;
  }

  /** Forgets what was drawn: it would be outdated when the view is shown again. */
  clear(): void {
    this.#asked = null;
    this.#shown = null;
  }

  /** Asks the questions of the subject that `next` returned. */
  ask(subject: QuestionSubject<Content>, urgent: boolean): void {
    this.#questions.want(this, subject.revision, askedOf(subject), urgent);
  }

  release(): void {
    this.#questions.release(this);
  }

  cancel(): void {
    if (this.#asked) this.#questions.cancel(this.#asked.subject.revision, askedOf(this.#asked.subject));
  }

  retry(): void {
    if (this.#asked) this.#questions.retry(this.#asked.subject.revision, askedOf(this.#asked.subject));
  }

  /** `now` in ms. Call it again when a signal that it read changes, and after ANSWER_PATIENCE_MS. */
  next(
    subject: QuestionSubject<Content>,
    { fillsIn = false, shownRevision = null }: Options,
    now: number,
  ): Tracked<Content> {
    const fits = (of: QuestionSubject<Content>) => shownRevision === null || of.revision === shownRevision;
    let asked = this.#ask(this.#asked ?? { subject, since: now });
    // While the user scrubs, wait up to ANSWER_PATIENCE_MS for the requested step before asking for the latest one.
    if (asked.subject !== subject) {
      if (isWhole(asked) && fits(asked.subject)) this.#show(asked);
      if (isWhole(asked) || !isSameProblem(asked.subject, subject) || now - asked.since >= ANSWER_PATIENCE_MS) {
        asked = this.#ask({ subject, since: now });
      }
    }
    this.#asked = asked;
    const patient = now - asked.since < ANSWER_PATIENCE_MS;
    const timely = fits(asked.subject);
    if (this.#shown && !fits(this.#shown)) this.#shown = null;
    if (timely && isWhole(asked)) this.#show(asked);
    else if (timely && !this.#mayStay(subject, patient, fillsIn, now)) this.#shown = null;
    const answered = this.#shown ?? (fillsIn && timely ? { ...asked.subject, answers: answersOf(asked) } : null);
    return { answered, pending: pendingOf(asked.states, patient), asked: asked.subject };
  }

  #ask({
    subject,
    since,
  }: {
    readonly subject: QuestionSubject<Content>;
    readonly since: number;
  }): AskedSubject<Content> {
    const states = askedOf(subject).map((question) => this.#questions.state(subject.revision, question).value);
    return { subject, since, states };
  }

  #show(asked: AskedSubject<Content>): void {
    this.#shown = { ...asked.subject, answers: answersOf(asked) };
    this.#behind = null;
  }

  /** Whether the shown subject may stay while answers arrive. */
  #mayStay(wanted: QuestionSubject<Content>, patient: boolean, fillsIn: boolean, now: number): boolean {
    const shown = this.#shown;
    if (!shown || shown.of !== wanted.of) return false;
    if (shown.revision === wanted.revision) return patient || !fillsIn;
    this.#behind ??= now;
    return now - this.#behind < ANSWER_PATIENCE_MS;
  }
}

const ASKED = new WeakMap<object, readonly Question[]>();

/** Each question with its layer; the same objects, because their keys are cached. */
export function askedOf<Content>(subject: QuestionSubject<Content>): readonly Question[] {
  const { questions, layer } = subject;
  if (layer === 0) return questions;
  const asked = ASKED.get(subject) ?? questions.map((question) => ({ ...question, layer }));
  ASKED.set(subject, asked);
  return asked;
}

const isSameProblem = <Content>(a: QuestionSubject<Content>, b: QuestionSubject<Content>): boolean =>
  a.of === b.of && a.revision === b.revision && a.layer === b.layer;

/** No answer is outstanding: all arrived, failed or were canceled. */
const isWhole = ({ states }: { readonly states: readonly QuestionState[] }): boolean =>
  states.every(({ status }) => status !== 'asking');

function answersOf<Content>({ subject, states }: AskedSubject<Content>): Answers {
  const answered = subject.questions.flatMap((question, i) => {
    const state = states[i];
    return state?.status === 'answered' ? [{ question, answer: state.answer }] : [];
  });
  return {
    get: <Q extends Question>(question: Q) => {
      const key = keyOf(question);
      return (answered.find((each) => keyOf(each.question) === key)?.answer ?? null) as AnswerOf<Q> | null;
    },
    of: <K extends QuestionKind>(kind: K) =>
      answered.filter(({ question }) => question.kind === kind) as unknown as readonly Answered<K>[],
  };
}

function pendingOf(states: readonly QuestionState[], patient: boolean): Pending | null {
  const asking = states.filter(({ status }) => status === 'asking');
  if (asking.length > 0) {
    if (patient) return null;
    const running = asking.find((state) => state.status === 'asking' && state.phase !== '');
    const { phase, fraction } = running?.status === 'asking' ? running : { phase: '', fraction: 0 };
    return { status: 'asking', phase, fraction: (states.length - asking.length + fraction) / states.length };
  }
  const failed = states.find(({ status }) => status === 'failed');
  if (failed?.status === 'failed') {
    const { code, field, message } = failed.error;
    return code === 'unsupported' && field === 'hidden' ? { status: 'hidden' } : { status: 'failed', message };
  }
  return states.some(({ status }) => status === 'cancelled') ? { status: 'cancelled' } : null;
}

interface Watched<Content> extends Omit<Tracked<Content>, 'asked'> {
  readonly cancel: () => void;
  readonly retry: () => void;
}

const NO_ANSWERS: Answers = { get: () => null, of: () => [] };

/** Asks the questions of `subject` and returns what to draw. `subject` must be the same object until it changes. */
export function useAnsweredSubject<Content>(
  client: ComputeClient,
  subject: QuestionSubject<Content> | null,
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
    const timer = setTimeout(() => tick((times) => times + 1), ANSWER_PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [asked]);
  return {
    answered: asks || !subject ? (tracked?.answered ?? null) : { ...subject, answers: NO_ANSWERS },
    pending: tracked?.pending ?? null,
    cancel: () => tracker?.cancel(),
    retry: () => tracker?.retry(),
  };
}

/** Label of a phase of the worker. */
export function phaseText(phase: string): string {
  const pass = PASSES.find((each) => each === phase);
  if (pass) return `Computing ${RESULT_OF[pass]}`;
  return phase === '' ? 'Computing' : phase.charAt(0).toUpperCase() + phase.slice(1);
}
