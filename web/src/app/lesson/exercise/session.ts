import { batch, computed, effect, signal, untracked } from '@preact/signals';
import { positionOf, sameCell } from '../../../geometry/grid';
import { type ExerciseSet, exerciseRefText, OWN_SET } from '../../../lessons/exercises';
import { MOST_NAME, printable } from '../../../link/look-fields';
import type { TeacherQuestion } from '../../../look/look';
import { ownerOf } from '../../../protocol/layers';
import { type Page, perPage } from '../../page/page';
import { isHiddenCell, predictorOf } from '../predict/predictor';
import { studyStateOf } from '../study';
import { readsCells } from './counts';
import { createDraws, questionAt } from './marking';
import { isRightAnswer, isValue, questionOf } from './question';
import {
  type Answer,
  answerAt,
  answersText,
  type Draw,
  drawOf,
  type ExerciseSubject,
  type ExerciseWork,
  inputsText,
  isEach,
  NO_WORK,
  needsName,
  persistWork,
  readAnswers,
  sealed,
  sealOf,
  withAnswer,
  workIn,
  workText,
  writeWork,
} from './work';

/** The open set and its navigation. The answers are in the view state, and so in the link. */
export const exerciseSessionOf = perPage(createSession);

function createSession(page: Page) {
  const { store, look, address } = page;
  const predictor = predictorOf(page);
  const study = studyStateOf(page);
  const exerciseRef = computed(() => (study.current.value?.kind === 'exercise' ? study.current.value : null));
  const work = computed(() => workIn(look));
  const answers = computed(() => readAnswers(work.value.answers));
  /** The problem of the questions in the link: that of the page when the link was opened. */
  const own = signal<ExerciseSubject>({ questions: [], problem: store.problem.peek() });
  const seal = computed(() => {
    const here = exerciseRef.value;
    return here ? sealOf(here.set, work.value, own.value) : 'open';
  });
  const needed = computed(() => exerciseRef.value !== null && needsName(work.value));
  /** The answers that had no name before the current one. */
  const namedFor = signal<string | null>(null);
  /** The name stays with the answers, so a student cannot hand in those of another. */
  const isNamed = computed(
    () => work.value.student !== null && answers.value.list.length > 0 && work.value.answers !== namedFor.value,
  );
  /** As text, which stays equal while answers change. */
  const drawText = computed(() => JSON.stringify(drawOf(work.value)));
  const draw = computed(() => JSON.parse(drawText.value) as Draw);
  const draws = createDraws();
  /** The open question; null at the result, and while a name is missing; undefined until its draw is settled. */
  const settled = computed(() => {
    const here = exerciseRef.value;
    if (!here || needed.value) return null;
    const known = questionOf(here, draw.value, own.value);
    return known === undefined ? draws.of(here, draw.value) : known;
  });
  const question = computed(() => settled.value ?? null);
  const isSettling = computed(() => settled.value === undefined);
  effect(() => {
    const here = exerciseRef.value;
    if (here && isSettling.value) untracked(() => void draws.settle(here, draw.value, own.value));
  });
  const reads = computed(() => (question.value?.kind === 'reads' ? question.value : null));
  const asked = computed(() => (question.value && isValue(question.value) ? question.value : null));
  /** The current problem is not that of the question, for example because an example was opened. */
  const isChanged = computed(() => {
    const current = asked.value ?? reads.value;
    return current !== null && inputsText(store.problem.value) !== inputsText(current.problem);
  });
  effect(() => {
    const current = asked.value;
    const hadHint = answerAt(answers.value, exerciseRef.value?.index ?? 0).hints > 0;
    const isHelped = !current || hadHint || predictor.attempt(current.cell).hints > 0;
    batch(() => {
      study.exercise.value = question.value !== null || isSettling.value;
      look.noHintYet.value =
        isSettling.value || reads.value !== null || (!isHelped && isHiddenCell(look.hiddenCells.value, current.cell));
      // The other views show which cells belong together. A teacher has chosen the view of a link.
      if (look.noHintYet.peek() && (current ?? reads.value)?.link)
        look.mode.value = current?.kind === 'network' ? 'network' : 'board';
    });
  });
  // An example keeps what is hidden, but its problem may have no such tensor.
  effect(() => {
    const { kind, cell } = asked.value ?? {};
    const isKnown = kind !== 'network' || ownerOf(cell?.tensor ?? '', store.problem.value.layers.length);
    if (!isKnown) look.hiddenCells.value = [];
  });
  /** Whether each answer is right, for the questions checked since the page was opened. */
  const judged = signal<ReadonlyMap<number, boolean>>(new Map());
  const note = (index: number, isRight: boolean) => {
    judged.value = new Map(judged.peek()).set(index, isRight);
  };

  const setWork = (change: Partial<ExerciseWork>) => {
    const set = exerciseRef.peek()?.set;
    if (!set) return;
    const next = sealed(set, { ...work.peek(), ...change }, own.peek(), seal.peek());
    batch(() => writeWork(look, next));
    if (set.id !== OWN_SET) persistWork(set.id, next);
  };
  /** Changes the answer to the open question. */
  const setAnswer = (change: (old: Answer) => Partial<Answer>) => {
    const [before, index] = [answers.peek(), exerciseRef.peek()?.index ?? 0];
    const old = answerAt(before, index);
    const text = answersText(withAnswer(before, index, { ...old, ...change(old) }));
    if (text !== look.answers.peek()) setWork({ answers: text, date: null });
  };

  // An attempt in the predictor at the hidden cell is the answer.
  effect(() => {
    const [here, current] = [exerciseRef.value, asked.value];
    if (!here || !current || isChanged.value) return;
    const { written, verdict, hints, revealed, misses } = predictor.attempt(current.cell);
    const isJudged = verdict !== null && verdict.verdict !== 'failed';
    if (!isJudged && hints === 0 && !revealed) return;
    batch(() => {
      setAnswer((old) => ({
        written: isJudged && written !== null ? written : old.written,
        hints: Math.max(hints, old.hints),
        // Revealing after a right answer does not count.
        revealed: old.revealed || (revealed && old.written === ''),
        misses: Math.max(misses, old.misses),
      }));
      if (isJudged) note(here.index, verdict.verdict === 'right');
    });
  });

  /** Hides every cell that the link asks for and that was not answered, and shows the current one. */
  const openOwn = (set: ExerciseSet, index: number) => {
    const { questions, problem } = own.peek();
    batch(() => {
      if (inputsText(store.problem.peek()) !== inputsText(problem)) store.open(problem, 'everything');
      const open = questions.flatMap(({ cell }, at) =>
        cell && !judged.peek().get(at) && !isHiddenCell(look.hiddenCells.peek(), cell) ? [cell] : [],
      );
      look.hiddenCells.value = [...look.hiddenCells.peek(), ...open];
      look.lesson.value = exerciseRefText({ set, index });
      look.side.value = 'lesson';
      const cell = questions[index]?.cell;
      if (cell) look.pinAndShow(cell);
    });
  };

  const open = (set: ExerciseSet, index: number, given: ExerciseWork = work.peek()) => {
    if (set.id !== OWN_SET) study.enter({ kind: 'exercise', set, index });
    if (exerciseRef.peek()?.set !== set || given.answers !== work.peek().answers) judged.value = new Map();
    if (set.id === OWN_SET) {
      openOwn(set, index);
      return;
    }
    const next =
      questionAt({ set, work: given, subject: own.peek() }, index) ?? draws.of({ set, index }, drawOf(given));
    // The effect below opens the question once its draw is settled.
    if (!next || next.kind === 'count') {
      batch(() => {
        look.lesson.value = exerciseRefText({ set, index });
        writeWork(look, given);
        look.side.value = 'lesson';
      });
      return;
    }
    const controls = look.controls.peek() === 'folded' ? '&controls=folded' : '';
    void address.open(`${next.link}${workText(given)}${controls}`);
  };

  effect(() => {
    const questions: readonly TeacherQuestion[] = look.questions.value;
    if (own.peek().questions === questions) return;
    own.value = { questions, problem: store.problem.peek() };
    const here = exerciseRef.peek();
    if (here?.set.id === OWN_SET && here.index < here.set.questions) openOwn(here.set, here.index);
  });

  // A link may name a question without its problem.
  effect(() => {
    if (!question.value) return;
    untracked(() => {
      if (exerciseRef.value && isChanged.value) open(exerciseRef.value.set, exerciseRef.value.index);
    });
  });

  /** Indices of the cells that are chosen. */
  const chosen = signal<readonly number[]>([]);
  effect(() => {
    chosen.value = readsCells(reads.value ? answerAt(answers.peek(), exerciseRef.peek()?.index ?? 0).written : '');
  });
  // Pinning a cell chooses it, or takes it back: with the pointer, by touch, and with Space.
  effect(() => {
    const [current, cell] = [reads.value, look.pinned.value];
    if (!current || !cell) return;
    const before = chosen.peek();
    const { index } = cell;
    look.unpin();
    if (cell.tensor === current.from)
      chosen.value = before.includes(index) ? before.filter((other) => other !== index) : [...before, index];
  });
  // The chosen cells and the cell of the sum are outlined.
  effect(() => {
    const [current, content] = [reads.value, store.shown.value];
    const [cells, pinned] = [chosen.value, look.pinned.value];
    if (!current || pinned || content?.problem !== store.problem.value || isChanged.value) return;
    const g = content.geometry;
    look.suggest(current.cell, g);
    look.term.value = cells.flatMap((index) =>
      sameCell(g, current.from, positionOf(g, { tensor: current.from, index })),
    );
  });

  return {
    ...{ work, answers, seal, own, question, isSettling, draws, needsName: needed },
    ...{ isNamed, isChanged, judged, note, open },
    go(by: 1 | -1) {
      const here = exerciseRef.peek();
      if (here) open(here.set, Math.max(0, here.index + by));
    },
    /** Indices of the cells that are chosen. */
    chosen,
    /** Checks an answer to a question that is not about a value. */
    checkCount(written: string): void {
      const current = question.peek();
      if (!current || isValue(current)) return;
      const isRight = isRightAnswer(current, written) === true;
      batch(() => {
        setAnswer((old) => ({ written, misses: old.misses + Number(!isRight) }));
        note(exerciseRef.peek()?.index ?? 0, isRight);
      });
    },
    hintCount: () => setAnswer((old) => ({ hints: Math.min(2, old.hints + 1) })),
    revealCount: () => setAnswer((old) => ({ revealed: old.revealed || old.written === '' })),
    setName(text: string): void {
      const here = exerciseRef.peek();
      const student = printable(text, MOST_NAME) || null;
      if (!here || student === work.peek().student || isNamed.peek()) return;
      namedFor.value = work.peek().answers;
      setWork({ student, date: null });
      // The numbers follow from the name.
      if (isEach(work.peek())) open(here.set, here.index);
    },
    /** New numbers; the answers start again. */
    again(): void {
      const set = exerciseRef.peek()?.set;
      if (!set) return;
      const { student, seed } = work.peek();
      const round = answersText({ round: answers.peek().round + 1, list: [] });
      const fresh = sealed(set, { ...NO_WORK, answers: round, student, seed }, own.peek(), 'open');
      open(set, 0, fresh);
    },
    /** Adds the date and the digest to the link. */
    handIn(): void {
      if (seal.peek() !== 'edited') setWork({ date: `${new Date().toISOString().slice(0, 16)}Z` });
    },
    /** See study.ts. */
    leave: study.leave,
  };
}
