import { signal } from '@preact/signals';
import { ComputeClient } from '../../../compute/client';
import { questionsOf } from '../../../compute/questions';
import { type ExerciseRef, type ExerciseSet, OWN_SET } from '../../../lessons/exercises';
import { isDamagedFile } from '../../../loading/damaged-file';
import { ownerOf } from '../../../protocol/layers';
import type { ComputeResult, LayerContent } from '../../../protocol/messages';
import type { TensorName } from '../../../protocol/problem';
import type { AnswerOf, QuestionOf } from '../../../protocol/questions';
import { requestOf, resultOf } from '../../../state/exchange';
import { type Problem, shownIndex } from '../../../state/problem';
import type { LazyStatus } from '../../../ui/lazy';
import { formatCell } from '../../../ui/numbers';
import { judgedAs } from '../predict/predictor';
import {
  answerWords,
  type ExerciseQuestion,
  isRightAnswer,
  isValue,
  questionOf,
  settledQuestion,
  type ValueQuestion,
} from './question';
import {
  type Answer,
  answerAt,
  type Draw,
  drawOf,
  type ExerciseSubject,
  type ExerciseWork,
  needsName,
  readAnswers,
  type Seal,
} from './work';

/** What the library decides about questions of sets: which draw is asked, and whether an answer is right. */

/** The result of a problem; null: it failed. */
async function computedOf(client: ComputeClient, problem: Problem): Promise<ComputeResult | null> {
  const computed = await client.compute(requestOf(problem));
  return computed.status === 'done' ? computed.result : null;
}

/** A question about the cell of `asked`, to the library; null: it failed. */
async function askAbout<Q extends QuestionOf<'ambiguous'> | QuestionOf<'diagnose'>>(
  client: ComputeClient,
  asked: ValueQuestion,
  question: (judged: Pick<QuestionOf<'diagnose'>, 'pass' | 'layer' | 'index'>) => Q,
): Promise<AnswerOf<Q> | null> {
  const { problem, cell } = asked;
  const result = await computedOf(client, problem);
  if (!result) return null;
  const judged = asked.kind === 'network' ? asked.judged : { pass: judgedAs(cell.tensor) };
  const now = await questionsOf(client).once(result.revision, question({ ...judged, index: cell.index }));
  return now.status === 'answered' ? now.answer : null;
}

/** The question of a draw: the library rejects draws with an answer that a mistake of its list gives. */
const decided = (client: ComputeClient, exerciseRef: ExerciseRef, draw: Draw, subject: ExerciseSubject) =>
  settledQuestion(exerciseRef, draw, subject, async (asked) => {
    const answer = await askAbout(client, asked, (judged) => ({ kind: 'ambiguous', ...judged }));
    if (answer === null) throw new Error('the question was not answered');
    return answer.ambiguous;
  });

const keyOf = ({ set, index }: ExerciseRef, draw: Draw): string => JSON.stringify([set.id, index, draw]);

export function createDraws() {
  const settled = signal<ReadonlyMap<string, ExerciseQuestion | null>>(new Map());
  const status = signal<LazyStatus>('unasked');
  let last: { readonly key: string; readonly again: () => void } | null = null;

  /** Settles all questions of a set, the open one first, in a worker that ends afterwards. */
  const settle = async ({ set, index }: ExerciseRef, draw: Draw, subject: ExerciseSubject) => {
    const key = keyOf({ set, index: 0 }, draw);
    if (last?.key === key && status.peek() !== 'failed') return;
    const own = { key, again: () => void settle({ set, index }, draw, subject) };
    last = own;
    status.value = 'loading';
    let client: ComputeClient | null = null;
    try {
      client = new ComputeClient();
      for (let step = 0; step < set.questions; step += 1) {
        const here = { set, index: (index + step) % set.questions };
        const question = await decided(client, here, draw, subject);
        if (last !== own) return;
        settled.value = new Map(settled.peek()).set(keyOf(here, draw), question);
      }
      status.value = 'ready';
    } catch (cause) {
      if (last === own) status.value = isDamagedFile(cause) ? 'damaged' : 'failed';
    } finally {
      client?.dispose();
    }
  };
  return {
    ...{ what: 'The question', status, settle },
    retry: () => last?.again(),
    /** Undefined: not settled. */
    of: (exerciseRef: ExerciseRef, draw: Draw): ExerciseQuestion | null | undefined =>
      settled.value.get(keyOf(exerciseRef, draw)),
  };
}

/** Result of one answer: not answered, right, wrong, or not checked because of an error. */
export type AnswerMark = 'none' | 'right' | 'wrong' | 'unjudged';

/** The work on a set, with what a link says about it. */
export interface HandedIn {
  readonly set: ExerciseSet;
  readonly work: ExerciseWork;
  readonly subject: ExerciseSubject;
  readonly seal: Seal;
}

/** Null after the last question, and while a name is missing; undefined: the library decides which one is asked. */
export const questionAt = (
  { set, work, subject }: Omit<HandedIn, 'seal'>,
  index: number,
): ExerciseQuestion | null | undefined => (needsName(work) ? null : questionOf({ set, index }, drawOf(work), subject));

/** A question with what the library computes for it. */
export interface Solved {
  readonly question: ExerciseQuestion;
  /** The layer that the question is about; null: its sizes are enough. */
  readonly layer: LayerContent | null;
  /** The cell that the question is about, in that layer: dy1 is the dx of the second layer. */
  readonly asked: { readonly tensor: TensorName; readonly index: number } | null;
  /** The right answer in words. */
  readonly right: string;
}

/** Null: the library failed, or a name is missing. */
export async function solvedAt(
  { set, work, subject }: Omit<HandedIn, 'seal'>,
  index: number,
  client: ComputeClient,
): Promise<Solved | null> {
  const question = needsName(work)
    ? null
    : await decided(client, { set, index }, drawOf(work), subject).catch(() => null);
  if (!question) return null;
  const problem = 'problem' in question ? question.problem : set.id === OWN_SET ? subject.problem : null;
  const result = problem && (await computedOf(client, problem));
  const owner = question.kind === 'network' ? ownerOf(question.cell.tensor, question.problem.layers.length) : null;
  const layer =
    problem && result ? resultOf(problem, result, null).layers[owner?.layer ?? shownIndex(problem, null)] : null;
  const asked =
    'cell' in question
      ? { tensor: (owner?.tensor ?? question.cell.tensor) as TensorName, index: question.cell.index }
      : null;
  const value = asked && layer?.tensors[asked.tensor]?.data[asked.index];
  const right = isValue(question)
    ? formatCell(value ?? Number.NaN, { digits: 4, chars: 10 })
    : answerWords(question, String(question.right));
  return problem && !layer ? null : { question, layer: layer ?? null, asked, right };
}

/**
 * Checks every answer again with the library, whatever the link claims, in a worker of its own, so that the current problem
 * stays loaded. Calls `onMark` for each answer until `signal` is aborted. `right`: the right answer in words; '' if it is not known.
 */
export async function markAll(
  { set, work, subject }: HandedIn,
  onMark: (index: number, mark: AnswerMark, right: string) => void,
  signal: AbortSignal,
  client: ComputeClient,
): Promise<void> {
  const answers = readAnswers(work.answers);
  const judge = async (question: ExerciseQuestion | undefined, written: string): Promise<AnswerMark> => {
    if (written === '') return 'none';
    if (!question) return 'unjudged';
    if (!isValue(question)) return isRightAnswer(question, written) ? 'right' : 'wrong';
    const answer = await askAbout(client, question, (judged) => ({ kind: 'diagnose', ...judged, written }));
    return !answer ? 'unjudged' : answer.verdict === 'right' ? 'right' : 'wrong';
  };
  for (let index = 0; index < set.questions; index += 1) {
    const { written } = answerAt(answers, index);
    const solved = written === '' ? null : await solvedAt({ set, work, subject }, index, client);
    const mark = await judge(solved?.question, written);
    if (signal.aborted) return;
    onMark(index, mark, solved?.right ?? '');
  }
}

/** `markAll` with a worker that ends afterwards; the returned function cancels. */
export function markOnce(handedIn: HandedIn, onMark: (index: number, mark: AnswerMark) => void): () => void {
  const client = new ComputeClient();
  const abort = new AbortController();
  markAll(handedIn, onMark, abort.signal, client).finally(() => client.dispose());
  return () => abort.abort();
}

const HINTS = ['', 'with a hint', 'with two hints'];

/** A mark in words. The help with an answer of an edited link is not known, and the answer does not count. */
export function markText(mark: AnswerMark, { revealed, hints, misses }: Answer, seal: Seal): string {
  if (mark === 'none') return revealed ? 'revealed' : 'not answered';
  if (mark === 'unjudged') return 'could not be checked';
  if (seal === 'edited') return `${mark} value, help unknown`;
  const help = revealed ? 'after revealing' : HINTS[hints];
  const attempts = misses > 0 && mark === 'right' && `after ${misses} wrong`;
  return [mark === 'right' ? '✓ right' : '✗ wrong', help, attempts].filter(Boolean).join(', ');
}

/** "2 of 6 right." Answers of an edited link do not count. */
export function totalText(right: number, questions: number, seal: Seal): string {
  const total = `${right} of ${questions}`;
  return seal === 'edited' ? `Edited by hand, not counted: ${total} values are right.` : `${total} right.`;
}

export const SEAL_WORDS: Readonly<Record<Seal, string>> = {
  open: '',
  fits: 'unchanged',
  edited: 'edited by hand: help and attempts are unknown',
};
