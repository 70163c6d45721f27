import { keyOf } from '../../compute/question-key';
import { type Asking, type QuestionState, type Questions, questionsOf } from '../../compute/questions';
import type { AnswerOf, Question, QuestionKind } from '../../protocol/questions';
import type { Answered, Answers } from '../../views/kit/answers';

/** Something to be drawn, and the questions whose answers belong beside it. */
export interface Subject<Content> {
  /** A view, or a cell: pictures of another one never stand in for this one's. */
  readonly of: unknown;
  readonly revision: number;
  readonly content: Content;
  readonly questions: readonly Question[];
}

/** A subject with the answers to exactly its questions. */
export interface Picture<Content> {
  readonly revision: number;
  readonly content: Content;
  readonly answers: Answers;
}

/** Questions that are not answered: they run, failed, or were cancelled. */
export type Pending =
  | { readonly status: 'asking'; readonly phase: string; readonly fraction: number }
  | { readonly status: 'failed'; readonly message: string }
  | { readonly status: 'cancelled' };

export interface Kept<Content> {
  /** What is to be drawn; null while there is nothing that would be true. */
  readonly picture: Picture<Content> | null;
  readonly pending: Pending | null;
  /** What is being asked. */
  readonly asked: Subject<Content>;
}

export interface Manner {
  /** It draws what there is while the rest is missing. */
  readonly fillsIn?: boolean;
  /**
   * The revision that is drawn beside it: pictures of any other wait, or go. Null: it stands by itself.
   */
  readonly beside?: number | null;
}

/** For so long the picture before stays whole, rather than that one sees the next being put together, in milliseconds. */
export const PATIENCE_MS = 200;

interface Shown<Content> {
  readonly subject: Subject<Content>;
  readonly answers: Answers;
}

interface Asked<Content> {
  readonly subject: Subject<Content>;
  readonly states: readonly QuestionState[];
  readonly since: number;
}

/**
 * Decides which picture is shown while the answers come. An answer is only ever drawn beside the content that it was asked
 * with: a picture is that of one subject, whole, or (when `fillsIn`) with gaps where answers are missing.
 */
export class PictureKeeper<Content> {
  readonly #questions: Questions;
  #asked: { readonly subject: Subject<Content>; readonly since: number } | null = null;
  #shown: Shown<Content> | null = null;
  /** Since when what is shown is of an earlier problem. */
  #behind: number | null = null;

  constructor(questions: Questions) {
    this.#questions = questions;
  }

  /** Nothing is looked at: what was drawn is of yesterday by the time somebody looks again. */
  clear(): void {
    this.#asked = null;
    this.#shown = null;
  }

  /** Asks what `next` said is to be asked. */
  ask({ revision, questions }: Subject<Content>, urgent: boolean): void {
    this.#questions.want(this, revision, questions, urgent);
  }

  release(): void {
    this.#questions.release(this);
  }

  cancel(): void {
    if (this.#asked) this.#questions.cancel(this.#asked.subject.revision, this.#asked.subject.questions);
  }

  retry(): void {
    if (this.#asked) this.#questions.retry(this.#asked.subject.revision, this.#asked.subject.questions);
  }

  /** `now` in milliseconds. To be called again when a state that it read changes, and after PATIENCE_MS. */
  next(subject: Subject<Content>, { fillsIn = false, beside = null }: Manner, now: number): Kept<Content> {
    const fits = (of: Subject<Content>) => beside === null || of.revision === beside;
    let asked = this.#ask(this.#asked ?? { subject, since: now });
    // While one scrubs, a frame that is asked for is awaited, for a while, before the latest is asked for.
    if (asked.subject !== subject) {
      if (isWhole(asked) && fits(asked.subject)) this.#show(asked);
      if (isWhole(asked) || !isSameProblem(asked.subject, subject) || now - asked.since >= PATIENCE_MS) {
        asked = this.#ask({ subject, since: now });
      }
    }
    this.#asked = asked;
    const patient = now - asked.since < PATIENCE_MS;
    const timely = fits(asked.subject);
    if (this.#shown && !fits(this.#shown.subject)) this.#shown = null;
    if (timely && isWhole(asked)) this.#show(asked);
    else if (timely && !this.#mayStay(subject, patient, fillsIn, now)) this.#shown = null;
    const shown: Shown<Content> | null =
      this.#shown ?? (fillsIn && timely ? { subject: asked.subject, answers: answersOf(asked) } : null);
    const picture = shown && { ...shown.subject, answers: shown.answers };
    return { picture, pending: pendingOf(asked.states, patient), asked: asked.subject };
  }

  #ask({ subject, since }: { readonly subject: Subject<Content>; readonly since: number }): Asked<Content> {
    const states = subject.questions.map((question) => this.#questions.state(subject.revision, question).value);
    return { subject, since, states };
  }

  #show(asked: Asked<Content>): void {
    this.#shown = { subject: asked.subject, answers: answersOf(asked) };
    this.#behind = null;
  }

  /** Whether what is shown may stay while the answers to what is asked come. */
  #mayStay(wanted: Subject<Content>, patient: boolean, fillsIn: boolean, now: number): boolean {
    const shown = this.#shown?.subject;
    if (!shown || shown.of !== wanted.of) return false;
    if (shown.revision === wanted.revision) return patient || !fillsIn;
    this.#behind ??= now;
    return now - this.#behind < PATIENCE_MS;
  }
}

const isSameProblem = <Content>(a: Subject<Content>, b: Subject<Content>): boolean =>
  a.of === b.of && a.revision === b.revision;

/** Nothing will come any more: what is missing failed or was cancelled. */
const isWhole = ({ states }: { readonly states: readonly QuestionState[] }): boolean =>
  states.every(({ status }) => status !== 'asking');

function answersOf<Content>({ subject, states }: Asked<Content>): Answers {
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
  if (failed?.status === 'failed') return { status: 'failed', message: failed.error.message };
  return states.some(({ status }) => status === 'cancelled') ? { status: 'cancelled' } : null;
}

export const createKeeper = <Content>(client: Asking): PictureKeeper<Content> =>
  new PictureKeeper<Content>(questionsOf(client));
