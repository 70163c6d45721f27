import { ComputeClient } from '../../../compute/client';
import type { ExerciseSet } from '../../../lessons/exercises';
import { type Answer, answerAt, readAnswers } from './answers';
import { askAbout, isAmbiguous } from './draws';
import { drawOf, type ExerciseSubject, type ExerciseWork, needsName, type Seal } from './hand-in';
import {
  type ExerciseQuestion,
  isRightAnswer,
  isValue,
  questionOf,
  settledQuestion,
  type ValueQuestion,
} from './question';

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

/**
 * Checks every answer again with the library, whatever the link claims, in a worker of its own, so that the current problem
 * stays loaded. Calls `onMark` for each answer until `signal` is aborted.
 */
export async function markAll(
  handedIn: HandedIn,
  onMark: (index: number, mark: AnswerMark) => void,
  signal: AbortSignal,
  client: ComputeClient,
): Promise<void> {
  const answers = readAnswers(handedIn.work.answers);
  for (let index = 0; index < handedIn.set.questions; index += 1) {
    const { written } = answerAt(answers, index);
    const judge = async (): Promise<AnswerMark> => {
      if (written === '') return 'none';
      const question = await settledAt(handedIn, index, client);
      if (!question) return 'unjudged';
      if (!isValue(question)) return isRightAnswer(question, written) ? 'right' : 'wrong';
      return markOf(client, question, written);
    };
    const mark = await judge();
    if (signal.aborted) return;
    onMark(index, mark);
  }
}

/** `markAll` with a worker that ends afterwards; the returned function cancels. */
export function markOnce(handedIn: HandedIn, onMark: (index: number, mark: AnswerMark) => void): () => void {
  const client = new ComputeClient();
  const abort = new AbortController();
  markAll(handedIn, onMark, abort.signal, client).finally(() => client.dispose());
  return () => abort.abort();
}

/** The question with the library's decision; null also if it cannot be decided. */
async function settledAt(handedIn: HandedIn, index: number, client: ComputeClient): Promise<ExerciseQuestion | null> {
  const { set, work, subject } = handedIn;
  if (needsName(work)) return null;
  const settled = settledQuestion({ set, index }, drawOf(work), subject, (asked) => isAmbiguous(client, asked));
  return settled.catch(() => null);
}

async function markOf(client: ComputeClient, asked: ValueQuestion, written: string): Promise<AnswerMark> {
  const answer = await askAbout(client, asked, (judged) => ({ kind: 'diagnose', ...judged, written }));
  if (answer === null) return 'unjudged';
  return answer.verdict === 'right' ? 'right' : 'wrong';
}

const HINTS = ['', 'with a hint', 'with two hints'];

/** Help with an answer, as the link says; '' if there was none. */
function helpText({ hints, revealed, misses }: Answer, mark: AnswerMark): string {
  const help = [
    ...(revealed ? ['after revealing'] : hints > 0 ? [HINTS[hints]] : []),
    ...(misses > 0 && mark === 'right' ? [`after ${misses} wrong`] : []),
  ];
  return help.join(', ');
}

/** A mark in words. The help with an answer of an edited link is not known, and the answer does not count. */
export function markText(mark: AnswerMark, answer: Answer, seal: Seal): string {
  if (mark === 'none') return answer.revealed ? 'revealed' : 'not answered';
  if (mark === 'unjudged') return 'could not be checked';
  if (seal === 'edited') return `${mark} value, help unknown`;
  const help = helpText(answer, mark);
  return `${mark === 'right' ? '✓ right' : '✗ wrong'}${help === '' ? '' : `, ${help}`}`;
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
