import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ConvError } from '../protocol/errors';
import type { AnswerOf, Question } from '../protocol/questions';
import type { ComputeClient } from './client';
import { bytesOf, keyOf } from './question-key';

/** How far a question has come. What was failed or cancelled is asked again by `retry` only. */
export type QuestionState<Answer = unknown> =
  | { readonly status: 'asking'; readonly phase: string; readonly fraction: number }
  | { readonly status: 'answered'; readonly answer: Answer }
  | { readonly status: 'failed'; readonly error: ConvError }
  | { readonly status: 'cancelled' };

/** The part of the client that questions need; tests give it a fake one. */
export type Asking = Pick<ComputeClient, 'ask' | 'stopQuestion'>;

/** Answers of the problem on the screen are kept up to this, the latest used longest; what is wanted always is. */
const MOST_BYTES = 64 * 2 ** 20;

/** The worker goes on from where a descent is, and nobody goes back far: of its hundreds of pictures a second the last are kept. */
const isQuick = ({ question }: { readonly question: Question }): boolean => question.kind === 'learn';
const MOST_QUICK = 8;

interface Entry {
  readonly name: string;
  readonly revision: number;
  readonly question: Question;
  readonly state: Signal<QuestionState>;
  bytes: number;
}

/** What one part of the page needs to know. */
interface Want {
  readonly revision: number;
  readonly questions: readonly Question[];
  readonly urgent: boolean;
}

const WAITING: QuestionState = { status: 'asking', phase: '', fraction: 0 };

/**
 * Every question of the page to the library, and the answers. An answer belongs to the revision and the question that it
 * was asked with and is found by both, so that it can never stand beside the numbers of another problem. The same question
 * is asked once, whoever needs it. Questions are put to the worker one at a time: what nobody needs any more before its
 * turn comes is never asked.
 */
export class Questions {
  readonly #client: Asking;
  readonly #mostBytes: number;
  /** By name, the least recently used first. */
  readonly #entries = new Map<string, Entry>();
  readonly #wants = new Map<object, Want>();
  #running: Entry | null = null;

  constructor(client: Asking, mostBytes = MOST_BYTES) {
    this.#client = client;
    this.#mostBytes = mostBytes;
  }

  /**
   * What `owner` needs to know about a problem from now on, the first first, in place of what it needed before. What is
   * urgent, for instance because somebody points at it, comes before all that is not.
   */
  want(owner: object, revision: number, questions: readonly Question[], urgent = false): void {
    this.#wants.set(owner, { revision, questions, urgent });
    for (const question of questions) this.#touch(this.#entry(revision, question));
    this.#forget();
    this.#next();
  }

  /** `owner` needs nothing any more. */
  release(owner: object): void {
    this.#wants.delete(owner);
  }

  /** Where a question is; a component that reads it is drawn again when that changes. */
  state<Q extends Question>(revision: number, question: Q): ReadonlySignal<QuestionState<AnswerOf<Q>>> {
    return this.#entry(revision, question).state as ReadonlySignal<QuestionState<AnswerOf<Q>>>;
  }

  /** Asks again what failed or was cancelled. */
  retry(revision: number, questions: readonly Question[]): void {
    for (const question of questions) {
      const { state } = this.#entry(revision, question);
      if (state.peek().status === 'failed' || state.peek().status === 'cancelled') state.value = WAITING;
    }
    this.#next();
  }

  /** Ends what has no answer yet, of these questions or of all that anybody needs. An edit under way goes on. */
  cancel(revision?: number, questions: readonly Question[] = []): void {
    const entries = revision === undefined ? this.#wanted() : questions.map((each) => this.#entry(revision, each));
    const open = entries.filter(({ state }) => state.peek().status === 'asking');
    batch(() => {
      for (const { state } of open) state.value = { status: 'cancelled' };
    });
    if (this.#running && open.includes(this.#running)) this.#client.stopQuestion();
  }

  #entry(revision: number, question: Question): Entry {
    const name = `${revision} ${keyOf(question)}`;
    const known = this.#entries.get(name);
    if (known) return known;
    const entry: Entry = { name, revision, question, state: signal<QuestionState>(WAITING), bytes: 2 * name.length };
    this.#entries.set(name, entry);
    return entry;
  }

  #touch(entry: Entry): void {
    this.#entries.delete(entry.name);
    this.#entries.set(entry.name, entry);
  }

  /** Everything that somebody needs, in the order in which it is asked. */
  #wanted(): readonly Entry[] {
    const wants = [...this.#wants.values()].sort((a, b) => Number(b.urgent) - Number(a.urgent));
    return wants.flatMap(({ revision, questions }) => questions.map((question) => this.#entry(revision, question)));
  }

  /**
   * Forgets what nobody needs: of earlier problems all, of later ones what was used longest ago. A component looks at a
   * state while it is rendered and says what it needs thereafter; in between its question is the newest, and stays.
   */
  #forget(): void {
    const needed = new Set(this.#wanted());
    const oldest = Math.min(...[...needed].map(({ revision }) => revision));
    let bytes = 0;
    let quick = 0;
    for (const entry of [...this.#entries.values()].reverse()) {
      bytes += entry.bytes;
      if (isQuick(entry)) quick += 1;
      const fits = bytes <= this.#mostBytes && !(isQuick(entry) && quick > MOST_QUICK);
      if (needed.has(entry) || (entry.revision >= oldest && fits)) continue;
      this.#entries.delete(entry.name);
    }
  }

  #next(): void {
    if (this.#running) return;
    const entry = this.#wanted().find(({ state }) => state.peek().status === 'asking');
    if (entry) void this.#ask(entry);
  }

  async #ask(entry: Entry): Promise<void> {
    this.#running = entry;
    const { revision, question, state } = entry;
    const onProgress = (phase: string, fraction: number) => {
      if (state.peek().status === 'asking') state.value = { status: 'asking', phase, fraction };
    };
    const outcome = await this.#client.ask({ type: 'question', revision, question }, { onProgress });
    this.#running = null;
    if (outcome.status === 'done') {
      state.value = { status: 'answered', answer: outcome.result.answer };
      entry.bytes += bytesOf(outcome.result.answer);
      this.#forget();
    } else if (outcome.status === 'failed') {
      state.value = outcome;
    } else if (outcome.why === 'cancelled') {
      // Either `cancel` stopped it, or everything was cancelled behind our back.
      if (state.peek().status === 'asking') this.cancel();
    } else if (outcome.why === 'superseded') {
      if (state.peek().status === 'asking') state.value = WAITING;
    } else if (outcome.why === 'stale') {
      // The problem is gone; whoever needed it will soon need the next one. Its answers are never shown.
      for (const [owner, want] of this.#wants) if (want.revision === revision) this.#wants.delete(owner);
    }
    this.#next();
  }
}

const OF_CLIENT = new WeakMap<Asking, Questions>();

/** The one store of questions of a client. It is made when somebody first asks: it is no part of the first download. */
export function questionsOf(client: Asking): Questions {
  const questions = OF_CLIENT.get(client) ?? new Questions(client);
  OF_CLIENT.set(client, questions);
  return questions;
}
