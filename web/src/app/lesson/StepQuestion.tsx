import { useState } from 'preact/hooks';
import { cellName } from '../../geometry/labels';
import type { Choice, Count, StepData } from '../../lessons/lesson';
import { type Cell, isTensor } from '../../protocol/problem';
import { Button } from '../../ui/controls/Button';
import { MINUS, parseNumber } from '../../ui/numbers';
import type { Page } from '../page/page';
import type { Course } from './course';
import { AnswerField } from './predict/AnswerField';
import { Predict } from './predict/Predict';
import { PredictInNetwork } from './predict/PredictInNetwork';
import { isMasked } from './predict/predictor';

interface StepQuestionProps {
  readonly page: Page;
  readonly course: Course;
  readonly step: StepData;
}

/** The cell that a step asks for; undefined: none, or one of a network. */
export function askedCell({ asks }: Pick<StepData, 'asks'>): Cell | undefined {
  if (typeof asks !== 'string') return undefined;
  const [tensor = '', index] = asks.split('.');
  return isTensor(tensor) ? { tensor, index: Number(index) } : undefined;
}

/** The question of a step, with the verdict on the answer. */
export function StepQuestion({ page, course, step }: StepQuestionProps) {
  const { asks, hint = '' } = step;
  if (asks === undefined) return null;
  if (typeof asks === 'string') return <AskedCell page={page} step={step} />;
  if (course.reached.value) return null;
  return 'count' in asks ? (
    <CountField key={step.title} asks={asks} hint={hint} onRight={course.show} />
  ) : (
    <Choices key={step.title} asks={asks} hint={hint} onRight={course.show} />
  );
}

function AskedCell({ page, step }: Pick<StepQuestionProps, 'page' | 'step'>) {
  const content = page.scene.value;
  const cell = askedCell(step);
  // The page still shows the problem from before the step.
  if (!content || page.store.problem.value !== page.store.shown.value?.problem) return null;
  if (!cell) return <PredictInNetwork page={page} asks={String(step.asks)} layers={content.layers} />;
  return (
    <Predict
      page={page}
      geometry={content.geometry}
      cell={cell}
      name={cellName(content.geometry, cell)}
      hidden={isMasked(page.look.masked.value, cell)}
      offersHiding={false}
      offersReveal={false}
    />
  );
}

interface AnswerProps<Question> {
  readonly asks: Question;
  readonly hint: string;
  readonly onRight: () => void;
}

function CountField({ asks, hint, onRight }: AnswerProps<Count>) {
  const [wrong, setWrong] = useState('');
  const check = (text: string) => {
    if (parseNumber(text) === asks.is) onRight();
    else setWrong(`${text.trim().replace('-', MINUS)} is not right. ${hint}`);
  };
  return (
    <section class="predict" aria-label="Question">
      <AnswerField label={`${asks.count} =`} inputMode="decimal" onCheck={check} />
      <Verdict wrong={wrong} />
    </section>
  );
}

function Choices({ asks, hint, onRight }: AnswerProps<Choice>) {
  const [wrong, setWrong] = useState('');
  return (
    <section class="predict" aria-label="Question">
      <p class="lesson__options wrap">
        {asks.options.map((option, index) => (
          <Button
            key={option}
            onClick={() => (index === asks.right ? onRight() : setWrong(`“${option}” is not right. ${hint}`))}
          >
            {option}
          </Button>
        ))}
      </p>
      <Verdict wrong={wrong} />
    </section>
  );
}

/** Announced when it changes. */
const Verdict = ({ wrong }: { readonly wrong: string }) => (
  <div role="status">{wrong && <p class="predict__verdict predict__verdict--wrong">{wrong}</p>}</div>
);
