import { batch, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ConvError } from '../protocol/problem';
import type { AnswerOf, Question } from '../protocol/questions';
import type { ComputeClient } from './client';

/** State of a question. Failed and cancelled questions are asked again only by `retry`. */
export type QuestionState<Answer = unknown> =
  | { readonly status: 'asking'; readonly phase: string; readonly fraction: number }
  | { readonly status: 'answered'; readonly answer: Answer }
  | { readonly status: 'failed'; readonly error: ConvError }
  | { readonly status: 'cancelled' };

/** A question that is not being asked. */
export type Settled<Answer> = Exclude<QuestionState<Answer>, { readonly status: 'asking' }>;

/** The part of the client that questions need; tests use a fake. */
export type QuestionClient = Pick<ComputeClient, 'ask' | 'stopQuestion'>;

/** Cache size for answers; least recently used answers are removed first, needed answers never. */
const MOST_BYTES = 64 * 2 ** 20;

/** Answers of gradient descent are cheap to compute again and come hundreds of times a second: only the last are cached. */
const isQuick = ({ question }: { readonly question: Question }): boolean => question.kind === 'learn';
const MOST_QUICK = 8;

interface Entry {
  readonly name: string;
  readonly revision: number;
  readonly question: Question;
  readonly state: Signal<QuestionState>;
  bytes: number;
}

interface Want {
  readonly revision: number;
  readonly questions: readonly Question[];
  readonly urgent: boolean;
  /** Called when the problem is no longer current, so that the questions are not answered. */
  readonly onStale?: () => void;
}

const WAITING: QuestionState = { status: 'asking', phase: '', fraction: 0 };

/**
 * All questions of the page to the library, with a cache of answers. Answers are cached by revision and question, so that
 * they are never shown with another problem. Equal questions are asked once. The worker gets one question at a time, so that
 * questions that are no longer needed are never asked.
 */
export class Questions {
  /** By name, least recently used first. */
  readonly #entries = new Map<string, Entry>();
  readonly #wants = new Map<object, Want>();
  #running: Entry | null = null;

  constructor(
    private readonly client: QuestionClient,
    private readonly mostBytes = MOST_BYTES,
  ) {}

  /**
   * Sets the questions of `owner`, in order of priority; replaces its previous ones. Urgent questions, for example about the cell
   * under the pointer, come before all others.
   */
  want(owner: object, revision: number, questions: readonly Question[], urgent = false, onStale?: () => void): void {
    this.#wants.set(owner, { revision, questions, urgent, ...(onStale && { onStale }) });
    for (const question of questions) this.#touch(this.#entry(revision, question));
    this.#evict();
    this.#next();
  }

  /** For an action: the state of one question once it is settled; 'cancelled' if the problem is no longer current. */
  once<Q extends Question>(revision: number, question: Q): Promise<Settled<AnswerOf<Q>>> {
    return new Promise((resolve) => {
      const owner = {};
      this.retry(revision, [question]);
      this.want(owner, revision, [question], true, () => resolve({ status: 'cancelled' }));
      const state = this.state(revision, question);
      const stop = effect(() => {
        const now = state.value;
        if (now.status === 'asking') return;
        queueMicrotask(() => stop());
        this.release(owner);
        resolve(now);
      });
    });
  }

  release(owner: object): void {
    this.#wants.delete(owner);
  }

  state<Q extends Question>(revision: number, question: Q): ReadonlySignal<QuestionState<AnswerOf<Q>>> {
    return this.#entry(revision, question).state as ReadonlySignal<QuestionState<AnswerOf<Q>>>;
  }

  /** Asks failed and cancelled questions again; with `repeats` answered ones, too: times differ between measurements. */
  retry(revision: number, questions: readonly Question[], repeats = false): void {
    for (const question of questions) {
      const { state } = this.#entry(revision, question);
      const { status } = state.peek();
      if (status !== 'asking' && (repeats || status !== 'answered')) state.value = WAITING;
    }
    this.#next();
  }

  /** Cancels these questions, or all, if they have no answer yet. A running compute continues. */
  cancel(revision?: number, questions: readonly Question[] = []): void {
    const entries = revision === undefined ? this.#wanted() : questions.map((each) => this.#entry(revision, each));
    const open = entries.filter(({ state }) => state.peek().status === 'asking');
    batch(() => {
      for (const { state } of open) state.value = { status: 'cancelled' };
    });
    if (this.#running && open.includes(this.#running)) this.client.stopQuestion();
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

  /** All needed questions, in the order in which they are asked. */
  #wanted(): readonly Entry[] {
    const wants = [...this.#wants.values()].sort((a, b) => Number(b.urgent) - Number(a.urgent));
    return wants.flatMap(({ revision, questions }) => questions.map((question) => this.#entry(revision, question)));
  }

  /**
   * Evicts answers that are not needed: all of earlier problems, and the least recently used of current ones. A component reads a
   * state during its render and calls `want` afterwards; in between its question is the most recently used, so it is kept.
   */
  #evict(): void {
    const needed = new Set(this.#wanted());
    const oldest = Math.min(...[...needed].map(({ revision }) => revision));
    let bytes = 0;
    let quick = 0;
    for (const entry of [...this.#entries.values()].reverse()) {
      bytes += entry.bytes;
      if (isQuick(entry)) quick += 1;
      const fits = bytes <= this.mostBytes && !(isQuick(entry) && quick > MOST_QUICK);
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
    const outcome = await this.client.ask({ type: 'question', revision, question }, { onProgress });
    this.#running = null;
    if (outcome.status === 'done') {
      state.value = { status: 'answered', answer: outcome.result.answer };
      entry.bytes += bytesOf(outcome.result.answer);
      this.#evict();
    } else if (outcome.status === 'failed') {
      state.value = outcome;
    } else if (outcome.why === 'cancelled') {
      // Stopped by `cancel` or by the client's cancel().
      if (state.peek().status === 'asking') this.cancel();
    } else if (outcome.why === 'superseded') {
      if (state.peek().status === 'asking') state.value = WAITING;
    } else if (outcome.why === 'stale') {
      // The problem is no longer current, and its answers are never shown: remove its owners.
      for (const [owner, want] of this.#wants) {
        if (want.revision !== revision) continue;
        this.#wants.delete(owner);
        want.onStale?.();
      }
    }
    this.#next();
  }
}

const OF_CLIENT = new WeakMap<QuestionClient, Questions>();

export function questionsOf(client: QuestionClient): Questions {
  const questions = OF_CLIENT.get(client) ?? new Questions(client);
  OF_CLIENT.set(client, questions);
  return questions;
}

type NumberArray = Float32Array | Int32Array | Float64Array;
const isArray = (value: unknown): value is NumberArray => ArrayBuffer.isView(value);

const KEYS = new WeakMap<Question, string>();

/** Equal for equal questions, independent of the order of their fields. */
export function keyOf(question: Question): string {
  const known = KEYS.get(question) ?? textOf(question);
  KEYS.set(question, known);
  return known;
}

/**
 * Longer tensors are compared by identity; tensors are never changed in place. Lists of cells and small kernels are compared by
 * value, because views create them again for each question.
 */
const MOST_READ = 4096;

const NAMES = new WeakMap<NumberArray, number>();
let named = 0;

function nameOf(array: NumberArray): number {
  const known = NAMES.get(array);
  if (known !== undefined) return known;
  named += 1;
  NAMES.set(array, named);
  return named;
}

/** By bits: NaN equals NaN, and 0 differs from -0. */
const bitsOf = ({ buffer, byteOffset, byteLength }: NumberArray): string =>
  new Uint32Array(buffer, byteOffset, byteLength / 4).join();

/** Unlike JSON it distinguishes NaN, infinities, -0 and null. */
function textOf(value: unknown): string {
  if (isArray(value)) {
    const isLong = value instanceof Float32Array && value.length > MOST_READ;
    return isLong ? `#${nameOf(value)}` : `${value.constructor.name}(${bitsOf(value)})`;
  }
  if (Object.is(value, -0)) return '-0';
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? JSON.stringify(value) : `${value}`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${name}:${textOf(member)}`).join()}}`;
}

/** Memory of an answer: bytes of its arrays. */
export function bytesOf(value: unknown): number {
  if (isArray(value)) return value.byteLength;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, member) => sum + bytesOf(member), 0);
}
