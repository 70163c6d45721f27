import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import { cellLabel, type FactorForm, termForm } from '../../geometry/labels';
import type { StepRef } from '../../lessons/lessons';
import type { Content } from '../../protocol/messages';
import type { Cell, TensorName } from '../../protocol/problem';
import { BREAKPOINTS } from '../../ui/breakpoints';
import { Button } from '../../ui/controls/Button';
import { Formula, Prose, withoutMarkup } from '../../ui/Formula';
import { formatCell, formatExact, leastFont } from '../../ui/numbers';
import type { Answers } from '../../views/shared/answers';
import { lecturing } from '../page/hooks';
import { type Page, perPage } from '../page/page';
import { useAnsweredSubject } from '../questions/answered-subject';
import { type CellSum, cellSumOf } from '../questions/cell-sum';
import { useCurrentView } from '../stage/current-view';
import type { Course } from './course';
import { studyStateOf } from './study';
import './lecture.css';

const media = matchMedia(BREAKPOINTS.lecture);
const wideEnough = signal(media.matches);
media.addEventListener('change', () => {
  wideEnough.value = media.matches;
});

/** The window has room for the lecture view. */
export const canLecture: ReadonlySignal<boolean> = wideEnough;

/** Digits in CSS pixels. Fewer digits come before a smaller font, and none before an illegible one. */
const LEAST_DIGITS = 12;

/** Whether the lecture view is open. Its styles apply while the root element has data-lecture, the name of the view. */
export const lectureOf = perPage((page: Page): ReadonlySignal<boolean> => {
  const { current } = studyStateOf(page);
  effect(() => {
    lecturing.value = current.value?.kind === 'lesson' && page.look.lecture.value !== null && canLecture.value;
    leastFont.value = lecturing.value ? LEAST_DIGITS : 0;
    if (lecturing.value) document.documentElement.dataset.lecture = page.look.mode.value;
    else delete document.documentElement.dataset.lecture;
  });
  return lecturing;
});

export interface LectureProps {
  readonly page: Page;
  readonly course: Course;
  readonly stepRef: StepRef;
}

/** Room for the sum of the pinned cell, the ends of paragraphs and the buttons, in letters. */
const OTHER_LETTERS = 290;

/** A step of a lesson on a projector: its text and the view, as large as the window permits. A key goes on: the result, then the next step. */
export function Lecture({ page, course, stepRef: { lesson, index, step } }: LectureProps) {
  const { title, words, formula, task, asks, outcome, notes } = step;
  const options = typeof asks === 'object' && 'options' in asks ? asks.options : [];
  const reached = course.reached.value;
  // The notes are for the teacher: the next step hides them again.
  const name = `${lesson.id} ${index}`;
  const [notedAt, setNotedAt] = useState('');
  const noted = notedAt === name;
  const told = Math.max(task.length + options.join('   ').length, outcome.length);
  const letters = title.length * 1.6 + words.length + (formula?.length ?? 0) + told + (noted ? notes.length : 0);
  return (
    <section
      class="lecture"
      style={{ '--lecture-scale': 1 / Math.sqrt(letters + OTHER_LETTERS) }}
      aria-label={`Lecture: ${lesson.title}`}
    >
      <p class="lecture__where">
        {lesson.title} · {index + 1} of {lesson.steps.length}
      </p>
      <h2 class="lecture__title">{title}</h2>
      {words.split('\n').map((sentence) => (
        <p key={sentence} class="lecture__words">
          <Prose text={sentence} />
        </p>
      ))}
      {formula && <Formula text={formula} />}
      {/* Both take their room, so that the view keeps its place when the task is done. */}
      <div class="lecture__task">
        <div class={reached ? 'lecture__untold' : 'lecture__told'}>
          <p>
            <Prose text={task} />
          </p>
          {options.length > 0 && (
            <ul class="lecture__options">
              {options.map((option) => (
                <li key={option}>
                  <Prose text={option} />
                </li>
              ))}
            </ul>
          )}
        </div>
        <p class={reached ? 'lecture__told' : 'lecture__untold'}>
          <Prose text={outcome} />
        </p>
      </div>
      <PinnedSum page={page} told={formula ?? ''} />
      {noted && (
        <p class="lecture__notes">
          <Prose text={notes} />
        </p>
      )}
      <div class="wrap">
        <Button shortcut="PageUp" onClick={course.back}>
          Back
        </Button>
        <Button kind="primary" shortcut="PageDown" onClick={course.nextPart}>
          Next
        </Button>
        <Button onClick={() => setNotedAt(noted ? '' : name)}>{noted ? 'Hide notes' : 'Teacher’s notes'}</Button>
        <Button shortcut="Escape" onClick={course.endLecture}>
          End lecture
        </Button>
      </div>
      <p class="visually-hidden" role="status">
        {withoutMarkup(reached ? `Done. ${outcome}` : `${title}. ${words} ${task}`)}
      </p>
    </section>
  );
}

/** The sum of the pinned cell, in one line: the lecture view has no panel that explains it. `told`: the formula of the step. */
function PinnedSum({ page, told }: { page: Page; told: string }) {
  const { entry } = useCurrentView();
  const cell = page.look.pinned.value;
  const content = page.currentContent.value;
  const subject = useMemo(() => {
    if (!cell || !content || entry.id === 'learn') return null;
    const sum = cellSumOf(content.geometry, cell, content.tensors.b !== undefined);
    if (!sum) return null;
    const { revision, index: layer } = content;
    const questions = sum.question ? [sum.question] : [];
    return { of: `${cell.tensor} ${cell.index}`, revision, layer, content: { ...content, cell, sum }, questions };
  }, [cell, content, entry]);
  const { answered } = useAnsweredSubject(page.client, subject, { fillsIn: true });
  const text = answered && sumText(answered.content, answered.answers);
  return (
    text && (
      <div class={text.split(' = ')[0] === told.split(' = ')[0] ? 'lecture__untold' : ''}>
        <Formula text={text} />
      </div>
    )
  );
}

/** Terms, and subtotals, that fit in a few lines. */
const MOST_TERMS = 16;

/** "dx[1,1] = 1·5 + 2·6 = 17"; with several channels the sum of each; null if the sum is long or a value is hidden. */
function sumText(
  { geometry: g, tensors, cell, sum }: Content & { cell: Cell; sum: CellSum },
  answers: Answers,
): string | null {
  const { page, planes, complete, bias, question } = sum;
  const valueAt = ({ tensor, index }: Cell) => tensors[tensor as TensorName]?.data[index] ?? Number.NaN;
  const value = valueAt(cell);
  if (!planes || !complete || Number.isNaN(value)) return null;
  const subtotals = (question && answers.get(question)?.subtotals) ?? [];
  if (planes.count > 1 && subtotals.length !== planes.count) return null;
  const factor = (of: FactorForm) => (of.cell ? factorText(valueAt(of.cell)) : '0');
  const terms = Array.from({ length: page.total }, (_, t) => termForm(g, page, t)).flatMap((term) => {
    if (!term) return [];
    const factors = [term.a, ...(term.b ? [term.b] : [])].map(factor);
    // Products of 0 are left out.
    if (factors.includes('0')) return [];
    return [(planes.leading === 'b' ? factors.reverse() : factors).join('·')];
  });
  const sums = Array.from(subtotals, (each, i) => (i === 0 ? formatExact(each) : factorText(each)));
  const parts = planes.count > 1 ? sums : terms;
  if (parts.length === 0 || parts.length > MOST_TERMS) return null;
  const added = bias ? [factorText(valueAt(bias.cell))] : [];
  return `${cellLabel(g, cell)} = ${[...parts, ...added].join(' + ')} = ${formatExact(value)}`;
}

function factorText(value: number): string {
  const text = formatCell(value, { digits: 3, chars: 7 });
  return value < 0 ? `(${text})` : text;
}
