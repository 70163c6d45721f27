import { batch, computed, effect, signal } from '@preact/signals';
import { type ExerciseSet, exerciseRefText } from '../../../lessons/exercises';
import { writeLink } from '../../../link/write-link';
import { DEFAULT_LOOK } from '../../../look/look';
import type { Problem } from '../../../state/problem';
import { type Page, perPage } from '../../page/page';
import { predictorOf } from '../predict/predictor';
import { studyStateOf } from '../study';
import { type Answer, type Answers, answerAt, answersText, persistAnswers, readAnswers, withAnswer } from './answers';
import { questionOf } from './question';

/** The open set and its navigation. The answers are in the view state, and so in the link. */
export const exerciseSessionOf = perPage(createSession);

/** Sizes and values, in link format. */
const inputsOf = (problem: Problem): string => writeLink({ problem, look: DEFAULT_LOOK }).hash;

function createSession(page: Page) {
  const { store, look, address } = page;
  const predictor = predictorOf(page);
  const study = studyStateOf(page);
  const exerciseRef = computed(() => (study.current.value?.kind === 'exercise' ? study.current.value : null));
  const answers = computed(() => readAnswers(look.answers.value));
  const round = computed(() => answers.value.round);
  /** The open question; null at the result. */
  const question = computed(() => {
    const here = exerciseRef.value;
    return here && here.index < here.set.questions ? questionOf(here, round.value) : null;
  });
  /** The current problem is not that of the question, for example because an example was opened. */
  const isChanged = computed(() => {
    const current = question.value;
    return current !== null && inputsOf(store.problem.value) !== inputsOf(current.problem);
  });
  effect(() => {
    study.exercise.value = question.value !== null;
  });
  /** Whether each answer is right, for the questions checked since the page was opened. */
  const judged = signal<ReadonlyMap<number, boolean>>(new Map());
  const note = (index: number, isRight: boolean) => {
    judged.value = new Map(judged.peek()).set(index, isRight);
  };

  // An attempt in the predictor at the hidden cell is the answer.
  effect(() => {
    const [here, current] = [exerciseRef.value, question.value];
    if (!here || !current || isChanged.value) return;
    const { written, verdict, hinted, revealed, misses } = predictor.attempt(current.cell);
    const isJudged = verdict !== null && verdict.verdict !== 'failed';
    if (!isJudged && !hinted && !revealed) return;
    const before = readAnswers(look.answers.peek());
    const old = answerAt(before, here.index);
    const next: Answer = {
      written: isJudged && written !== null ? written : old.written,
      hinted: hinted || old.hinted,
      // Revealing after a right answer does not count.
      revealed: old.revealed || (revealed && old.written === ''),
      misses: Math.max(misses, old.misses),
    };
    batch(() => {
      look.answers.value = answersText(withAnswer(before, here.index, next));
      persistAnswers(here.set.id, look.answers.value);
      if (isJudged) note(here.index, verdict.verdict === 'right');
    });
  });

  const open = (set: ExerciseSet, index: number, given: Answers = answers.peek()) => {
    study.enter({ kind: 'exercise', set, index });
    const other = exerciseRef.peek()?.set.id !== set.id || given.round !== round.peek();
    if (other) judged.value = new Map();
    const text = answersText(given);
    if (index === set.questions) {
      batch(() => {
        look.lesson.value = exerciseRefText({ set, index });
        look.answers.value = text;
        look.side.value = 'lesson';
      });
      return;
    }
    const { link } = questionOf({ set, index }, given.round);
    const controls = look.controls.peek() === 'folded' ? '&controls=folded' : '';
    void address.open(`${link}${text === null ? '' : `&answers=${text}`}${controls}`);
  };

  // A link may name a question without its problem.
  const here = exerciseRef.peek();
  if (here && isChanged.peek()) open(here.set, here.index);

  return {
    ...{ answers, question, isChanged, judged, note, open },
    go(by: 1 | -1) {
      const here = exerciseRef.peek();
      if (here) open(here.set, Math.max(0, here.index + by));
    },
    /** See study.ts. */
    leave: study.leave,
  };
}
