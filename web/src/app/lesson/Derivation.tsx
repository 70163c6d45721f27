import { useState } from 'preact/hooks';
import steps from '../../../content/derivation.yaml';
import { LESSONS } from '../../lessons/lessons';
import { isTensor, TENSORS, type TensorName } from '../../protocol/problem';
import { Button } from '../../ui/controls/Button';
import { Segmented } from '../../ui/controls/Choice';
import { Maths } from '../../ui/Maths';
import type { Page } from '../page/page';
import { CopyLatex } from '../page/use-copy';
import { courseOf } from './course';
import { usePointers } from './pointers';

/** A step of the derivation: an entry in web/content/derivation.yaml. */
interface DerivationStep {
  readonly title: string;
  readonly words: string;
  /** In the notation of ui/Maths. A line that begins with = or + continues the one before. */
  readonly formulas: readonly string[];
  /** The lesson with numbers for this step. */
  readonly lesson: string;
}

export const DERIVATION = steps as readonly DerivationStep[];

const LAYOUTS = [
  { value: 'nhwc', label: 'NHWC', hint: 'as on this page and in TensorFlow' },
  { value: 'nchw', label: 'NCHW', hint: 'as in PyTorch' },
] as const;

/** The same formula with the indices in the order of PyTorch: x[n,c,u,v] and w[k,c,p,q]. */
export const inNchw = (formula: string): string =>
  formula
    .replaceAll(/\b(d?[xy])\[n,(\w),(\w),([^\]]+)\]/g, '$1[n,$4,$2,$3]')
    .replaceAll(/\b(d?w)\[p,q,c,k\]/g, '$1[k,c,p,q]');

/** Derivation of the formulas. A symbol outlines its panel in the view; the hovered or pinned cell highlights its symbol. */
export function Derivation({ page }: { page: Page }) {
  const course = courseOf(page);
  const [pointed, setPointed] = useState<string | null>(null);
  const [pinned, setPinned] = useState<TensorName | null>(null);
  const [layout, setLayout] = useState<(typeof LAYOUTS)[number]['value']>('nhwc');
  const outlined = pointed ?? pinned;
  usePointers('derivation', outlined ? [`panel:${outlined}`] : []);
  const lit = page.look.current.value?.tensor.replace('_padded', '');
  return (
    <section
      class="derivation grid"
      aria-label="Derivation"
      data-lit={lit}
      onPointerOver={({ target }) => {
        const symbol = target instanceof Element ? target.closest<HTMLElement>('[data-tensor]') : null;
        setPointed(symbol?.dataset.tensor ?? null);
      }}
      onPointerLeave={() => setPointed(null)}
    >
      <div class="ends">
        <h2 class="lesson__title" tabIndex={-1}>
          Derivation of the formulas
        </h2>
        <Button onClick={() => print()}>Print</Button>
        <Button label="Back to the lessons" kind="icon" onClick={course.leave} />
      </div>
      <p class="derivation__help soft">
        Hover a symbol, or press a symbol below a formula, to outline its panel. Hover a cell to highlight its symbol
        here.
      </p>
      {DERIVATION.map(({ title, words, formulas: plain, lesson: id }) => {
        const lesson = LESSONS.find((candidate) => candidate.id === id);
        const hasLayout = plain.some((text) => inNchw(text) !== text);
        const spell = layout === 'nchw' ? inNchw : (text: string) => text;
        const formulas = plain.map(spell);
        const tensors = tensorsIn(formulas);
        return (
          <section key={title} class="derivation__step grid">
            <h3>{title}</h3>
            <p>{spell(words)}</p>
            {hasLayout && (
              <Segmented label="order of the indices" options={LAYOUTS} value={layout} onChange={setLayout} />
            )}
            {formulas.map((text) => (
              <Maths key={text} text={text} tensors={TENSORS} />
            ))}
            <CopyLatex
              what={formulas.length > 1 ? 'these formulas' : 'this formula'}
              latex={({ alignedLatex, formulaLatex }) => alignedLatex(formulas.map(formulaLatex))}
            />
            <div class="wrap tight">
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
                <button type="button" class="derivation__lesson small" onClick={() => course.open(lesson, 0)}>
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
  ...new Set(formulas.flatMap((text) => text.match(/[a-z]+/g) ?? []).filter(isTensor)),
];
