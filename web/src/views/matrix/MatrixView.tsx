import { computed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { gridOf } from '../../geometry/grid';
import type { ViewState } from '../../look/look';
import type { Geometry } from '../../protocol/problem';
import { Segmented } from '../../ui/controls/Choice';
import { Formula } from '../../ui/Formula';
import { PictureProvider, steady, useDerived, useGeometry, usePicture } from '../kit/picture';
import { type Box, region, type StageLayout } from '../kit/stage/layout';
import { ForwardSigns, Tensors } from '../kit/stage/Tensors';
import type { View, ViewProps } from '../kit/view';
import { AdjointBadge } from './AdjointBadge';
import { brushOf } from './brush';
import { ConvMatrix } from './ConvMatrix';
import { wordsOf } from './words';

const FORMS = [
  { value: 'plain', label: 'y = C x', hint: 'forward: a row for each cell of y' },
  { value: 'transposed', label: 'dx = Cᵀ dy', hint: 'backward: rows and columns exchanged' },
] as const;

const isTransposed = ({ form }: ViewState): boolean => form === 'transposed';

/** Cells are numbered, and a number has to be exact. */
const isNumbered = (g: Geometry): boolean => Number.isSafeInteger(gridOf(g, 'C').cells) && gridOf(g, 'C').cells > 0;

const FORWARD = ['x', 'w', 'y'] as const;
const BACKWARD = ['dx', 'dy'] as const;

/** x, w and y where they always stand, and C below; turned over it stands above dx and dy. */
function MatrixView({ state }: ViewProps) {
  const g = useGeometry();
  const picture = usePicture();
  const { layout, highlights, focus } = picture;
  const transposed = isTransposed(state);
  const brush = useDerived(
    () => brushOf(g, highlights.value, focus.value, transposed),
    [g, highlights, focus, transposed],
  );
  const brushed = useMemo(() => {
    const lit = computed(() => brush.value?.highlights ?? highlights.value);
    return {
      ...picture,
      focus: steady(computed(() => brush.value?.focus ?? focus.value)),
      highlights: lit,
      spoken: lit,
    };
  }, [picture, brush, highlights, focus]);
  if (!isNumbered(g)) return <p class="conv-none">{noneOf(g)}</p>;
  return (
    <PictureProvider value={brushed}>
      {transposed && <ConvMatrix transposed box={boxOfTransposed(g, layout.value)} />}
      <Tensors names={transposed ? BACKWARD : FORWARD} />
      {!transposed && <ForwardSigns />}
      {!transposed && <ConvMatrix transposed={false} box={region(layout.value, 'x', 'y', 'backward')} />}
    </PictureProvider>
  );
}

/** Between Cᵀ and what stands beside it. */
const ASIDE = 20;

/** Above dx and dy; a tall one between the two, where w stands else. */
function boxOfTransposed(g: Geometry, layout: StageLayout): Box {
  const { row, col } = gridOf(g, 'C').size;
  if (row >= col) return region(layout, 'x', 'y', 'forward');
  const { x, y } = layout.columns;
  const left = x.start + x.size + ASIDE;
  return { left, top: 0, width: y.start - ASIDE - left, height: layout.height };
}

function noneOf(g: Geometry): string {
  return gridOf(g, 'C').cells === 0
    ? 'There is no window, so C has no rows.'
    : 'C would have more entries than can be counted exactly here. Make x smaller to see it.';
}

function MatrixSettings({ wanted, onState }: ViewProps) {
  return (
    <Segmented
      label="matrix"
      quiet
      options={FORMS}
      value={isTransposed(wanted) ? 'transposed' : 'plain'}
      onChange={(form) => onState({ form: form === 'plain' ? '' : form })}
    />
  );
}

function MatrixPlayer({ state, answers }: ViewProps) {
  const g = useGeometry();
  const { highlights } = usePicture();
  const transposed = isTransposed(state);
  const words = useDerived(
    () => (isNumbered(g) ? wordsOf(g, highlights.value?.cell ?? null, transposed) : ''),
    [g, highlights, transposed],
  );
  return (
    <>
      <p class="player-words">{words}</p>
      <AdjointBadge adjoint={answers.get({ kind: 'adjoint' })} />
    </>
  );
}

function AboutMatrix({ state }: ViewProps) {
  const { content } = usePicture();
  const g = useGeometry();
  const biased = useDerived(() => content.value.tensors.b !== undefined, [content]).value;
  return (
    <>
      <Formula text={isTransposed(state) ? 'dx = Cᵀ dy' : `y = C x${biased ? ' + b' : ''}`} />
      <p>
        Write x as one long list of numbers, and y as another. Every y is a sum of x’s times weights, so a table of
        weights makes y of x: the <em>matrix</em> C. A row is the window of one y, and a column says which y’s hear one
        x.
      </p>
      <p>
        The same few weights stand in every row, moved along; everywhere else is nothing.{' '}
        {GROUPED[g.groups > 1 ? 1 : 0]}
        {g.n > 1 && ` Each of the ${g.n} images is multiplied by the same C.`}
      </p>
      <p>
        With rows and columns exchanged C is called Cᵀ, the <em>transposed</em> matrix. It leads back: dx = Cᵀ dy. To
        test that, multiply C x by dy cell by cell and add, written ⟨C x, dy⟩: it is the same number as ⟨x, Cᵀ dy⟩,
        whatever x and dy are{biased ? ' (b is no part of C)' : ''}
        {g.n > 1 ? ', over all images' : ''}.
      </p>
    </>
  );
}

const GROUPED = ['', 'The filters of a group hear only its own channels, so C falls into blocks.'] as const;

export const matrixView: View = {
  sentence: 'The convolution as one large matrix: a row for each cell of y, a column for each cell of x.',
  needs: () => [{ kind: 'adjoint' }],
  fillsIn: true,
  Component: MatrixView,
  Settings: MatrixSettings,
  Player: MatrixPlayer,
  About: AboutMatrix,
};
