import { useState } from 'preact/hooks';
import { LESSONS } from '../../lessons/lessons';
import { isTensor, TENSORS, type TensorName } from '../../protocol/problem';
import { Button } from '../../ui/controls/Button';
import { Segmented } from '../../ui/controls/Choice';
import { Maths } from '../../ui/Maths';
import type { Page } from '../page/page';
import { CopyLatex } from '../page/use-copy';
import { courseOf } from './course';
import { usePointers } from './pointers';

interface DerivationStep {
  readonly title: string;
  readonly words: string;
  /** In the notation of ui/Maths. A line that begins with = or + continues the one before: the panel is 256 px wide. */
  readonly formulas: readonly string[];
  /** The lesson with numbers for this step. */
  readonly lesson: string;
}

/** For one image, one channel and one filter; the last two steps have the full formulas. */
export const DERIVATION: readonly DerivationStep[] = [
  {
    title: 'Forward',
    words:
      'The first formula has stride s, dilation d and padding P on each side. A cell outside of x counts as 0. The last formula is the simplest case, s = d = 1 and P = 0. The rest is derived for this case.',
    formulas: [
      'y[i,j] = b + Σ{p,q} x[u,v] · w[p,q]',
      'u = s·i + d·p − P',
      'v = s·j + d·q − P',
      'y[i,j] = b + Σ{p,q} x[i+p,j+q] · w[p,q]',
    ],
    lesson: 'one-window',
  },
  {
    title: 'The gradient dy',
    words:
      'The loss L depends on this layer only through y. So the layer needs only the derivative of L by each cell of y. The other gradients are named in the same way.',
    formulas: ['dy[i,j] = {∂L}/{∂y[i,j]}'],
    lesson: 'loss',
  },
  {
    title: 'dw by the chain rule',
    words:
      'A weight changes L through every cell of y. Multiply the derivatives along each path, then add all paths. y[i,j] contains the weight w[p,q] once, with the factor x[i+p,j+q].',
    formulas: ['dw[p,q] = Σ{i,j} {∂L}/{∂y[i,j]} · {∂y[i,j]}/{∂w[p,q]}', '= Σ{i,j} dy[i,j] · x[i+p,j+q]'],
    lesson: 'dw',
  },
  {
    title: 'db',
    words: 'Every cell of y contains the bias with the factor 1.',
    formulas: ['db = Σ{i,j} dy[i,j]'],
    lesson: 'bias-batch',
  },
  {
    title: 'dx: the same rule',
    words:
      'Which weight multiplies x[m,n] in y[i,j]? The weight with p = m − i and q = n − j. If there is no such weight, the term is 0.',
    formulas: ['dx[m,n] = Σ{i,j} {∂L}/{∂y[i,j]} · {∂y[i,j]}/{∂x[m,n]}', '= Σ{i,j} dy[i,j] · w[m−i,n−j]'],
    lesson: 'scatter',
  },
  {
    title: 'The flip',
    words:
      'Sum over the weights instead of the outputs: substitute i = m − p and j = n − q. The minus signs mean that dy is read backwards. Let f be w flipped by 180°. Let e be dy padded with kh − 1 and kw − 1 zeros on each side. Then both run forward, and dx is a convolution like the forward pass.',
    formulas: ['dx[m,n] = Σ{p,q} dy[m−p,n−q] · w[p,q]', '= Σ{p,q} e[m+p,n+q] · f[p,q]', 'f[p,q] = w[kh−1−p,kw−1−q]'],
    lesson: 'gather',
  },
  {
    title: 'With a stride',
    words:
      'Now y[i,j] contains x[m,n] where s·i + p = m. So only weights count for which i and j are whole numbers. This equals inserting s − 1 zeros between the cells of dy. Rows after the last window have gradient 0.',
    formulas: ['dx[m,n] = Σ{p,q} dy[i,j] · w[p,q]', 'i = {m−p}/{s} and j = {n−q}/{s}'],
    lesson: 'stride',
  },
  {
    title: 'All of it in two lines',
    words:
      'Write x and y as lists of numbers. Then the layer is a matrix C of weights and zeros. The backward pass is the transpose of C. Without a bias the two sums below are equal for all x and dy. This is the shortest test of a backward pass.',
    formulas: ['y = C x and dx = Cᵀ dy', 'Σ{i,j} y[i,j] · dy[i,j] = Σ{m,n} x[m,n] · dx[m,n]'],
    lesson: 'transposed',
  },
  {
    title: 'Channels, filters and images',
    words:
      'In full: image n, channel c, filter k, with stride s, dilation d and padding P. x[n,u,v,c] is the cell of x under w[p,q,c,k]. Each sum runs over the indices that the result does not have: y sums over the channels, dx over the filters, dw and db over the images. A value that is shared in the forward pass gets a sum in the backward pass. In dx, only whole numbers i and j count.',
    formulas: [
      'y[n,i,j,k] = b[k]',
      '+ Σ{c,p,q} x[n,u,v,c] · w[p,q,c,k]',
      'dx[n,u,v,c]',
      '= Σ{k,p,q} dy[n,i,j,k] · w[p,q,c,k]',
      'dw[p,q,c,k]',
      '= Σ{n,i,j} x[n,u,v,c] · dy[n,i,j,k]',
      'db[k] = Σ{n,i,j} dy[n,i,j,k]',
      'u = s·i + d·p − P',
      'v = s·j + d·q − P',
      'i = {u+P−d·p}/{s}',
      'j = {v+P−d·q}/{s}',
    ],
    lesson: 'channels',
  },
  {
    title: 'Groups',
    words:
      'With G groups, C channels and K filters, filter k sees only the C/G channels of its group g. So c counts the channels of a group, and a is the same channel of x. In dx, k runs over the K/G filters of group g. db does not change.',
    formulas: [
      'g = floor(k·G/K)',
      'a = g·C/G + c',
      'y[n,i,j,k] = b[k]',
      '+ Σ{c,p,q} x[n,u,v,a] · w[p,q,c,k]',
      'dx[n,u,v,a]',
      '= Σ{k,p,q} dy[n,i,j,k] · w[p,q,c,k]',
      'dw[p,q,c,k]',
      '= Σ{n,i,j} x[n,u,v,a] · dy[n,i,j,k]',
    ],
    lesson: 'groups',
  },
];

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
export function Derivation({ page }: { readonly page: Page }) {
  const course = courseOf(page);
  const [pointed, setPointed] = useState<string | null>(null);
  const [pinned, setPinned] = useState<TensorName | null>(null);
  const [layout, setLayout] = useState<(typeof LAYOUTS)[number]['value']>('nhwc');
  const outlined = pointed ?? pinned;
  usePointers(outlined ? [`panel:${outlined}`] : []);
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
        <h2 class="lesson__title">Derivation of the formulas</h2>
        <Button label="Back to the lessons" kind="icon" onClick={course.leave} />
      </div>
      <p class="soft">
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
