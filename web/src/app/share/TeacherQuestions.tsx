import { type Signal, signal } from '@preact/signals';
import { useId, useRef, useState } from 'preact/hooks';
import counts from '../../../content/counts.yaml';
import { cellAt } from '../../geometry/grid';
import { cellLabel, shownAxes } from '../../geometry/labels';
import { MOST_QUESTIONS, MOST_SENTENCE, printable } from '../../link/look-fields';
import type { TeacherQuestion } from '../../look/look';
import { type Cell, type Geometry, isTensor } from '../../protocol/problem';
import { Button } from '../../ui/controls/Button';
import { Select } from '../../ui/controls/Choice';
import { RefusalNotice } from '../../ui/notices';
import { parseNumber, plainText } from '../../ui/numbers';
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

/** Sizes that one layer has. */
const SIZES = Object.keys(counts as object).filter((name) => !name.endsWith(' of x'));

/** What a question asks for, with an example of the answer. */
const KINDS = [
  { value: 'cell', label: 'value of a cell', box: 'dx[1,1]' },
  { value: 'number', label: 'a number of your own', box: '4' },
  { value: 'choice', label: 'a choice', box: 'dy | *w | x' },
  ...SIZES.map((name) => ({ value: name, label: name, box: null })),
];

/** The options of a choice, the right one with a star; null if none or several have one. */
function optionsIn(text: string): readonly string[] | null {
  const options = text.split('|').map((option) => printable(option, MOST_SENTENCE));
  const isWhole = options.length > 1 && options.every((option) => option.replace('*', '') !== '');
  return isWhole && options.filter((option) => option.startsWith('*')).length === 1 ? options : null;
}

interface TeacherQuestionsProps {
  readonly geometry: Geometry;
  readonly suggested: Cell | null;
  readonly collected: Signal<readonly TeacherQuestion[]>;
}

/** Questions of a teacher about the problem, each with a sentence. */
export function TeacherQuestions({ geometry, suggested, collected }: TeacherQuestionsProps) {
  const questions = collected.value;
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  const [why, setWhy] = useState<string | null>(null);
  const [kind, setKind] = useState('cell');
  const field = KINDS.find(({ value }) => value === kind)?.box;
  const nameOf = ({ cell, asks: [name] = [] }: Omit<TeacherQuestion, 'sentence'>) =>
    cell ? cellLabel(geometry, cell) : name || 'choice';
  const isListed = (name: string) => questions.some((one) => nameOf(one) === name);
  /** The question of the fields, or why there is none. */
  const written = (text: string): Omit<TeacherQuestion, 'sentence'> | string => {
    if (kind === 'number')
      return parseNumber(text) === null ? 'Write the right number.' : { cell: null, asks: [plainText(text)] };
    if (kind === 'choice') {
      const options = optionsIn(text);
      return options
        ? { cell: null, asks: ['', ...options] }
        : 'Write options with | between them, and * before the right one.';
    }
    const cell = kind === 'cell' ? cellNamed(geometry, text) : null;
    if (kind === 'cell' && !cell) return `This problem has no cell “${printable(text, 20)}”. Write it as in dx[1,1].`;
    const question = cell ? { cell: { tensor: cell.tensor, index: cell.index } } : { cell: null, asks: [kind] };
    const name = nameOf(question);
    return isListed(name) ? `${name} has a question already.` : question;
  };
  const add = () => {
    const question = written(box.current?.value ?? '');
    if (typeof question === 'string') return setWhy(question);
    if (questions.length >= MOST_QUESTIONS) return setWhy(`A link has at most ${MOST_QUESTIONS} questions.`);
    collected.value = [...questions, { ...question, sentence: '' }];
    if (box.current) box.current.value = '';
  };
  const suggestion = suggested && isTensor(suggested.tensor) ? cellLabel(geometry, suggested) : '';
  return (
    <fieldset class="share__group grid tight share__questions">
      <legend>Questions</legend>
      <p class="note">
        Students get the first question when they open the link. An asked cell is hidden, and the problem is locked.
        They hand in a link with their answers.
      </p>
      {questions.map((question, at) => {
        const name = nameOf(question);
        const others = (change: readonly TeacherQuestion[]) => {
          collected.value = questions.toSpliced(at, 1, ...change);
        };
        return (
          <p key={`${at} ${name}`} class="share__question grid">
            <label for={`${id}-${at}`}>{name}</label>
            <input
              id={`${id}-${at}`}
              type="text"
              maxLength={MOST_SENTENCE}
              placeholder={question.cell ? `What is ${name}?` : 'The question'}
              defaultValue={question.sentence}
              onInput={(event) => {
                others([{ ...question, sentence: printable(event.currentTarget.value, MOST_SENTENCE) }]);
              }}
            />
            <Button label={`Remove ${name}`} kind="icon" onClick={() => others([])} />
          </p>
        );
      })}
      <Select
        label="Ask for"
        options={KINDS}
        value={kind}
        onChange={(next) => {
          setKind(next);
          setWhy(null);
        }}
      />
      <p class="share__question grid">
        <label for={id}>{kind === 'cell' ? 'Cell' : field && 'Answer'}</label>
        {field ? (
          <input
            key={kind}
            ref={box}
            id={id}
            type="text"
            autocomplete="off"
            placeholder={field}
            defaultValue={kind === 'cell' && !isListed(suggestion) ? suggestion : ''}
            aria-invalid={why !== null}
            onInput={() => setWhy(null)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') add();
            }}
          />
        ) : (
          <span class="note">The page knows the right number and common mistakes.</span>
        )}
        <Button onClick={add}>Add question</Button>
      </p>
      <RefusalNotice why={why} />
    </fieldset>
  );
}
