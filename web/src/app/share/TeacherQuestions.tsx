import { type Signal, signal } from '@preact/signals';
import { useId, useRef, useState } from 'preact/hooks';
import { cellAt } from '../../geometry/grid';
import { cellLabel, shownAxes } from '../../geometry/labels';
import { MOST_QUESTIONS, MOST_SENTENCE, printable } from '../../link/look-fields';
import { cellText } from '../../link/text';
import type { TeacherQuestion } from '../../look/look';
import { type Cell, type Geometry, isTensor } from '../../protocol/problem';
import { Button } from '../../ui/controls/Button';
import { RefusalNotice } from '../../ui/notices';
import { perPage } from '../page/page';

/** The questions of the dialog. They stay while it is closed. */
export const collectedQuestions = perPage(() => signal<readonly TeacherQuestion[]>([]));

/** The cell that a text such as dx[1,1] names; null if this problem has no such cell. */
function cellNamed(g: Geometry, text: string): Cell | null {
  const [, tensor = '', list = ''] = /^\s*([a-z]+)\s*\[([\d\s,]+)\]\s*$/.exec(text) ?? [];
  if (!isTensor(tensor)) return null;
  const indices = list.split(',').map(Number);
  const axes = shownAxes(g, tensor);
  if (indices.length !== axes.length) return null;
  const position = { slice: 0, row: 0, col: 0, channel: 0 };
  for (const [at, axis] of axes.entries()) position[axis] = indices[at] ?? 0;
  return cellAt(g, tensor, position);
}

interface TeacherQuestionsProps {
  readonly geometry: Geometry;
  readonly suggested: Cell | null;
  readonly collected: Signal<readonly TeacherQuestion[]>;
}

/** Questions of a teacher: cells of the problem, each with a sentence. */
export function TeacherQuestions({ geometry, suggested, collected }: TeacherQuestionsProps) {
  const questions = collected.value;
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  const [why, setWhy] = useState<string | null>(null);
  const isListed = (cell: Cell) => questions.some((one) => cellText(one.cell) === cellText(cell));
  const add = () => {
    const text = box.current?.value ?? '';
    const cell = cellNamed(geometry, text);
    if (!cell) return setWhy(`This problem has no cell “${printable(text, 20)}”. Write it as in dx[1,1].`);
    if (isListed(cell)) return setWhy(`${text.trim()} has a question already.`);
    if (questions.length >= MOST_QUESTIONS) return setWhy(`A link has at most ${MOST_QUESTIONS} questions.`);
    collected.value = [...questions, { cell: { tensor: cell.tensor, index: cell.index }, sentence: '' }];
    if (box.current) box.current.value = '';
  };
  const isSuggested = suggested !== null && isTensor(suggested.tensor) && !isListed(suggested);
  return (
    <fieldset class="share__group grid tight share__questions">
      <legend>Questions</legend>
      <p class="note">
        Students get the first question when they open the link. The cell is hidden, and the problem is locked. They
        hand in a link with their answers.
      </p>
      {questions.map(({ cell, sentence }) => {
        const name = cellLabel(geometry, cell);
        const others = (change: (at: TeacherQuestion) => readonly TeacherQuestion[]) => {
          collected.value = questions.flatMap((one) => (one.cell === cell ? change(one) : [one]));
        };
        return (
          <p key={cellText(cell)} class="share__question grid">
            <label for={`${id}-${cellText(cell)}`}>{name}</label>
            <input
              id={`${id}-${cellText(cell)}`}
              type="text"
              maxLength={MOST_SENTENCE}
              placeholder={`What is ${name}?`}
              defaultValue={sentence}
              onInput={(event) => {
                const written = printable(event.currentTarget.value, MOST_SENTENCE);
                others((one) => [{ ...one, sentence: written }]);
              }}
            />
            <Button label={`Remove ${name}`} kind="icon" onClick={() => others(() => [])} />
          </p>
        );
      })}
      <p class="share__question grid">
        <label for={id}>Cell</label>
        <input
          ref={box}
          id={id}
          type="text"
          autocomplete="off"
          placeholder="dx[1,1]"
          defaultValue={isSuggested && suggested ? cellLabel(geometry, suggested) : ''}
          aria-invalid={why !== null}
          onInput={() => setWhy(null)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') add();
          }}
        />
        <Button onClick={add}>Add question</Button>
      </p>
      <RefusalNotice why={why} />
    </fieldset>
  );
}
