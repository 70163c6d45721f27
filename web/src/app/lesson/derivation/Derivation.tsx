import { useState } from 'preact/hooks';
import { LESSONS } from '../../../lessons/lessons';
import type { TensorName } from '../../../protocol/problem';
import { Button } from '../../../ui/controls/Button';
import type { Page } from '../../page';
import type { Course } from '../course';
import { usePointers } from '../point';
import { DERIVATION } from './steps';
import './derivation.css';

interface DerivationProps {
  readonly page: Page;
  readonly course: Course;
}

/** Where the formulas come from. A symbol frames its panel on the stage; a cell that is spoken of there lights up its symbol. */
export function Derivation({ page: { look }, course }: DerivationProps) {
  const [pointed, setPointed] = useState<string | null>(null);
  const [kept, setKept] = useState<TensorName | null>(null);
  const framed = pointed ?? kept;
  usePointers(framed ? [`panel:${framed}`] : []);
  const spoken = look.current.value?.tensor.replace('_padded', '');
  const close = () => {
    look.lesson.value = null;
  };
  return (
    <section
      class="derivation"
      aria-label="Derivation"
      data-lit={spoken}
      onPointerOver={({ target }) => {
        const symbol = target instanceof Element ? target.closest<HTMLElement>('[data-tensor]') : null;
        setPointed(symbol?.dataset.tensor ?? null);
      }}
      onPointerLeave={() => setPointed(null)}
    >
      <div class="lesson__head">
        <h2 class="lesson__title">Where the formulas come from</h2>
        <Button label="Back to the lessons" kind="icon" onClick={close}>
          ×
        </Button>
      </div>
      <p class="catalogue__words">
        Point at a symbol, or press one below a formula: its panel on the stage gets a frame. Point at a cell there, and
        its symbol here lights up.
      </p>
      {DERIVATION.map(({ title, words, formulas, tensors, lesson: id }) => {
        const lesson = LESSONS.find((candidate) => candidate.id === id);
        return (
          <section key={title} class="derivation__step">
            <h3>{title}</h3>
            {words.map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
            {formulas}
            <div class="derivation__links">
              {tensors.map((tensor) => (
                <button
                  key={tensor}
                  type="button"
                  class="derivation__chip"
                  data-tensor={tensor}
                  aria-label={`frame ${tensor} on the stage`}
                  aria-pressed={kept === tensor}
                  onClick={() => setKept(kept === tensor ? null : tensor)}
                >
                  {tensor}
                </button>
              ))}
              {lesson && (
                <button type="button" class="derivation__lesson" onClick={() => course.open(lesson, 0)}>
                  with numbers
                </button>
              )}
            </div>
          </section>
        );
      })}
    </section>
  );
}
