import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ComputeClient } from '../../compute/client';
import { keyOf, type QuestionState, type Questions, questionsOf } from '../../compute/questions';
import { PASSES, RESULT_OF } from '../../protocol/problem';
import type { AnswerOf, Question, QuestionKind } from '../../protocol/questions';
import type { Answered, Answers } from '../../views/shared/answers';

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

/**
 * Decides what is drawn while answers arrive. An answer is only drawn with the content that it was asked with: the
 * result is one subject, complete or (with `fillsIn`) with gaps for missing answers.
 */
export class AnswerTracker<Content> {
  #asked: { readonly subject: QuestionSubject<Content>; readonly since: number } | null = null;
  #shown: AnsweredSubject<Content> | null = null;
  /** Time since which an earlier problem is shown. */
  #behind: number | null = null;

  constructor(private readonly questions: Questions) {}

  /**
   * What to draw, null while no consistent state is available, and the subject to ask. `now` in ms. Call it again when a signal
   * that it read changes, and after ANSWER_PATIENCE_MS.
   */
  next(subject: QuestionSubject<Content>, { fillsIn = false, shownRevision = null }: Options, now: number) {
    const fits = (of: QuestionSubject<Content>) => shownRevision === null || of.revision === shownRevision;
    const ask = (to: QuestionSubject<Content>, since: number) => {
      const states = askedOf(to).map((question) => this.questions.state(to.revision, question).value);
      // No answer is outstanding: all arrived, failed or were canceled.
      const isWhole = states.every(({ status }) => status !== 'asking');
      return { subject: to, since, states, isWhole, shown: { ...to, answers: answersOf(to.questions, states) } };
    };
    let asked = this.#asked ? ask(this.#asked.subject, this.#asked.since) : ask(subject, now);
    const show = () => {
      this.#shown = asked.shown;
      this.#behind = null;
    };
    // While the user scrubs, wait up to ANSWER_PATIENCE_MS for the requested step before asking for the latest one.
    if (asked.subject !== subject) {
      const { of, revision, layer } = asked.subject;
      if (asked.isWhole && fits(asked.subject)) show();
      const isOther = of !== subject.of || revision !== subject.revision || layer !== subject.layer;
      if (asked.isWhole || isOther || now - asked.since >= ANSWER_PATIENCE_MS) asked = ask(subject, now);
    }
    this.#asked = asked;
    const isPatient = now - asked.since < ANSWER_PATIENCE_MS;
    const isTimely = fits(asked.subject);
    if (this.#shown && !fits(this.#shown)) this.#shown = null;
    if (isTimely && asked.isWhole) show();
    else if (isTimely && !this.#mayStay(subject, isPatient || !fillsIn, now)) this.#shown = null;
    const answered = this.#shown ?? (fillsIn && isTimely ? asked.shown : null);
    return { answered, pending: pendingOf(asked.states, isPatient), asked: asked.subject };
  }

  /** Whether the shown subject may stay while answers arrive; `waits`: those of the same problem. */
  #mayStay(wanted: QuestionSubject<Content>, waits: boolean, now: number): boolean {
    if (this.#shown?.of !== wanted.of) return false;
    if (this.#shown?.revision === wanted.revision) return waits;
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

function answersOf(questions: readonly Question[], states: readonly QuestionState[]): Answers {
  const answered = questions.flatMap((question, i) => {
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

const NO_ANSWERS = answersOf([], []);

/** Asks the questions of `subject` and returns what to draw. `subject` must be the same object until it changes. */
export function useAnsweredSubject<Content>(
  client: ComputeClient,
  subject: QuestionSubject<Content> | null,
  options: Options = {},
) {
  const questions = questionsOf(client);
  const owner = useRef({}).current;
  const held = useRef<AnswerTracker<Content> | null>(null);
  const [, tick] = useState(0);
  const asks = subject !== null && (subject.questions.length > 0 || options.shownRevision != null);
  // A new one after a pause: what was drawn before is outdated when the view is shown again.
  held.current = asks ? (held.current ?? new AnswerTracker<Content>(questions)) : null;
  const tracked = asks && held.current ? held.current.next(subject, options, performance.now()) : null;
  const asked = tracked?.asked ?? null;
  // A layout effect: an effect after painting would cost a frame.
  const { urgent = false } = options;
  useLayoutEffect(() => {
    if (asked) questions.want(owner, asked.revision, askedOf(asked), urgent);
    else questions.release(owner);
  }, [questions, owner, asked, urgent]);
  useLayoutEffect(() => () => questions.release(owner), [questions, owner]);
  useEffect(() => {
    if (!asked) return;
    const timer = setTimeout(() => tick((times) => times + 1), ANSWER_PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [asked]);
  return {
    answered: asks || !subject ? (tracked?.answered ?? null) : { ...subject, answers: NO_ANSWERS },
    pending: tracked?.pending ?? null,
    cancel: () => asked && questions.cancel(asked.revision, askedOf(asked)),
    retry: () => asked && questions.retry(asked.revision, askedOf(asked)),
  };
}

/** Label of a phase of the worker. */
export function phaseText(phase: string): string {
  const pass = PASSES.find((each) => each === phase);
  if (pass) return `Computing ${RESULT_OF[pass]}`;
  return phase === '' ? 'Computing' : phase.charAt(0).toUpperCase() + phase.slice(1);
}
