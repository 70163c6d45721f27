import { useState } from 'preact/hooks';
import { LESSONS } from '../../../lessons/lessons';
import type { TensorName } from '../../../protocol/problem';
import { TENSORS } from '../../../protocol/tensors';
import { alignedLatex, formulaLatex } from '../../../snippets/latex/formula';
import { Button } from '../../../ui/controls/Button';
import { Maths } from '../../../ui/Maths';
import { CopyLatex } from '../../page/CopyLatex';
import type { Page } from '../../page/page';
import type { Course } from '../course';
import { usePointers } from '../pointers';
import { DERIVATION } from './steps';

interface DerivationProps {
  readonly page: Page;
  readonly course: Course;
}

/** Derivation of the formulas. A symbol outlines its panel in the view; the hovered or pinned cell highlights its symbol. */
export function Derivation({ page: { look }, course }: DerivationProps) {
  const [pointed, setPointed] = useState<string | null>(null);
  const [pinned, setPinned] = useState<TensorName | null>(null);
  const outlined = pointed ?? pinned;
  usePointers(outlined ? [`panel:${outlined}`] : []);
  const lit = look.current.value?.tensor.replace('_padded', '');
  return (
    <section
      class="derivation"
      aria-label="Derivation"
      data-lit={lit}
      onPointerOver={({ target }) => {
        const symbol = target instanceof Element ? target.closest<HTMLElement>('[data-tensor]') : null;
        setPointed(symbol?.dataset.tensor ?? null);
      }}
      onPointerLeave={() => setPointed(null)}
    >
      <div class="lesson__head">
        <h2 class="lesson__title">Derivation of the formulas</h2>
        <Button label="Back to the lessons" kind="icon" onClick={course.leave}>
          ×
        </Button>
      </div>
      <p class="catalogue__words">
        Hover a symbol, or press a symbol below a formula, to outline its panel. Hover a cell to highlight its symbol
        here.
      </p>
      {DERIVATION.map(({ title, words, formulas, tensors = tensorsIn(formulas), lesson: id }) => {
        const lesson = LESSONS.find((candidate) => candidate.id === id);
        return (
          <section key={title} class="derivation__step">
            <h3>{title}</h3>
            <p>{words}</p>
            {formulas.map((text) => (
              <Maths key={text} text={text} tensors={TENSORS} />
            ))}
            {formulas.length > 0 && (
              <CopyLatex
                what={formulas.length > 1 ? 'these formulas' : 'this formula'}
                latex={() => alignedLatex(formulas.map(formulaLatex))}
              />
            )}
            <div class="derivation__links">
              {tensors.map((tensor) => (
                <button
                  key={tensor}
                  type="button"
                  class="derivation__chip"
                  data-tensor={tensor}
                  aria-label={`outline panel ${tensor}`}
                  aria-pressed={pinned === tensor}
                  onClick={() => setPinned(pinned === tensor ? null : tensor)}
                >
                  {tensor}
                </button>
              ))}
              {lesson && (
                <button type="button" class="derivation__lesson" onClick={() => course.open(lesson, 0)}>
                  lesson with numbers
                </button>
              )}
            </div>
          </section>
        );
      })}
    </section>
  );
}

/** Each once, in the order of the formulas. */
const tensorsIn = (formulas: readonly string[]): readonly TensorName[] => [
  ...new Set(formulas.join(' ').match(/\bd?[xwby]\b/g) as TensorName[] | null),
];
