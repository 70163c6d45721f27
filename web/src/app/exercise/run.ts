import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { type NamedSet, type SetPlace, setPlaceOf, setPlaceText } from '../../lessons/exercises';
import type { Linked } from '../../link/field';
import type { Page } from '../page';
import { predictorOf } from '../predict/predictor';
import { type Answer, type Answers, answerAt, answersText, readAnswers, withAnswer } from './answers';
import { keepAnswers } from './kept';
import { type Question, questionOf } from './question';

/** The set that is open, and the ways through it. What was answered stands in the look, and so in the link. */
export interface Run {
  readonly place: ReadonlySignal<SetPlace | null>;
  readonly answers: ReadonlySignal<Answers>;
  /** The question that is open; null at the result. */
  readonly question: ReadonlySignal<Question | null>;
  /** Whether the library called the answer to a question right, where it was asked since the page was opened. */
  readonly judged: ReadonlySignal<ReadonlyMap<number, boolean>>;
  readonly note: (index: number, isRight: boolean) => void;
  readonly open: (set: NamedSet, index: number, answers?: Answers) => void;
  readonly go: (by: 1 | -1) => void;
  /** Ends the set and gives back what there was before it. */
  readonly leave: () => void;
}

const runs = new WeakMap<Page, Run>();

export function runOf(page: Page): Run {
  const run = runs.get(page) ?? createRun(page);
  runs.set(page, run);
  return run;
}

function createRun(page: Page): Run {
  const { store, look, address } = page;
  const predictor = predictorOf(page);
  const place = computed(() => setPlaceOf(look.lesson.value));
  const answers = computed(() => readAnswers(look.answers.value));
  const round = computed(() => answers.value.round);
  const question = computed(() => {
    const here = place.value;
    return here && here.index < here.set.questions ? questionOf(here, round.value) : null;
  });
  const judged = signal<ReadonlyMap<number, boolean>>(new Map());
  const note: Run['note'] = (index, isRight) => {
    judged.value = new Map(judged.peek()).set(index, isRight);
  };
  let before: Linked | null = null;

  // What the predictor hears of the number that is asked for is the answer.
  effect(() => {
    const [here, asked] = [place.value, question.value];
    if (!here || !asked) return;
    const { written, verdict, hinted, revealed, misses } = predictor.attempt(asked.cell);
    const isJudged = verdict !== null && verdict.verdict !== 'failed';
    if (!isJudged && !hinted && !revealed) return;
    const old = answerAt(readAnswers(look.answers.peek()), here.index);
    const next: Answer = {
      written: isJudged && written !== null ? written : old.written,
      hinted: hinted || old.hinted,
      // Whoever had found it may look at it.
      revealed: old.revealed || (revealed && old.written === ''),
      misses: Math.max(misses, old.misses),
    };
    batch(() => {
      const all = withAnswer(readAnswers(look.answers.peek()), here.index, next);
      look.answers.value = answersText(all);
      keepAnswers(here.set.id, look.answers.value);
      if (isJudged) note(here.index, verdict.verdict === 'right');
    });
  });

  const open: Run['open'] = (set, index, given = answers.peek()) => {
    if (!place.peek()) before = { problem: store.problem.peek(), look: look.written.peek() };
    const other = place.peek()?.set.id !== set.id || given.round !== round.peek();
    if (other) judged.value = new Map();
    const text = answersText(given);
    if (index === set.questions) {
      batch(() => {
        look.lesson.value = setPlaceText({ set, index });
        look.answers.value = text;
        look.side.value = 'lesson';
      });
      return;
    }
    const { link } = questionOf({ set, index }, given.round);
    const controls = look.controls.peek() === 'folded' ? '&controls=folded' : '';
    void address.open(`${link}${text === null ? '' : `&answers=${text}`}${controls}`);
  };

  return {
    place,
    answers,
    question,
    judged,
    note,
    open,
    go(by) {
      const here = place.peek();
      if (here) open(here.set, Math.max(0, here.index + by));
    },
    leave() {
      const back = before;
      before = null;
      batch(() => {
        if (back) {
          store.open(back.problem, 'everything');
          look.open(back.look);
        } else {
          look.lesson.value = null;
          look.answers.value = null;
          look.masked.value = [];
        }
        look.side.value = 'lesson';
      });
    },
  };
}
