import { gridOf } from '../../geometry/grid';
import type { ViewState } from '../../look/look';
import type { Geometry } from '../../protocol/problem';
import { Segmented } from '../../ui/controls/Choice';
import { Formula } from '../../ui/Formula';
import { fitGrid } from '../kit/fit-grid';
import { type Box, region, type StageLayout, wholeStage } from '../kit/stage/layout';
import { ForwardSigns, Tensors } from '../kit/stage/Tensors';
import type { View, ViewProps } from '../kit/view';
import { useDerived, useGeometry, useRelit, useViewModel, ViewModelProvider } from '../kit/view-model';
import { AdjointBadge } from './AdjointBadge';
import { C_LIMITS, ConvMatrix } from './ConvMatrix';
import { entryHighlights } from './matrix-highlights';
import { textOf } from './texts';

const FORMS = [
  { value: 'plain', label: 'y = C x', hint: 'forward: a row for each cell of y' },
  { value: 'transposed', label: 'dx = Cᵀ dy', hint: 'backward: C transposed' },
] as const;

const isTransposed = ({ form }: ViewState): boolean => form === 'transposed';

/** The index of an entry must be an exact integer. */
const isNumbered = (g: Geometry): boolean => Number.isSafeInteger(gridOf(g, 'C').cells) && gridOf(g, 'C').cells > 0;

const FORWARD = ['x', 'w', 'y'] as const;
const BACKWARD = ['dx', 'dy'] as const;

/** C below x, w and y, or alone where its values do not fit; Cᵀ above dx and dy. */
function MatrixView({ state }: ViewProps) {
  const g = useGeometry();
  const { layout, highlights, focus } = useViewModel();
  const transposed = isTransposed(state);
  const entry = useDerived(
    () => entryHighlights(g, highlights.value, focus.value, transposed),
    [g, highlights, focus, transposed],
  );
  const entryModel = useRelit(entry);
  if (!isNumbered(g)) return <p class="conv-none">{emptyText(g)}</p>;
  const beneath = region(layout.value, 'x', 'y', 'backward');
  // Below x, w and y a map of C would be too small.
  const alone = !transposed && layout.value.arrangement === 'stage' && !showsValues(g, beneath);
  return (
    <ViewModelProvider value={entryModel}>
      {transposed && <ConvMatrix transposed box={boxOfTransposed(g, layout.value)} />}
      {!alone && <Tensors names={transposed ? BACKWARD : FORWARD} />}
      {!transposed && !alone && <ForwardSigns />}
      {!transposed && <ConvMatrix transposed={false} box={alone ? wholeStage(layout.value) : beneath} />}
    </ViewModelProvider>
  );
}

function showsValues(g: Geometry, box: Box): boolean {
  const { row, col } = gridOf(g, 'C').size;
  return fitGrid(box, row, col, C_LIMITS).kind === 'numbers';
}

/** Gap between Cᵀ and the panels beside it. */
const ASIDE = 20;

/** Above dx and dy; a tall Cᵀ between the two, in the place of w. */
function boxOfTransposed(g: Geometry, layout: StageLayout): Box {
  const { row, col } = gridOf(g, 'C').size;
  if (row >= col) return region(layout, 'x', 'y', 'forward');
  const { x, y } = layout.columns;
  const left = x.start + x.size + ASIDE;
  return { left, top: 0, width: y.start - ASIDE - left, height: layout.height };
}

function emptyText(g: Geometry): string {
  return gridOf(g, 'C').cells === 0
    ? 'No window fits, so C has no rows.'
    : 'C has too many entries to draw. Make x smaller to see it.';
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
  const { highlights } = useViewModel();
  const transposed = isTransposed(state);
  const words = useDerived(
    () => (isNumbered(g) ? textOf(g, highlights.value?.cell ?? null, transposed) : ''),
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
  const { content } = useViewModel();
  const g = useGeometry();
  const biased = useDerived(() => content.value.tensors.b !== undefined, [content]).value;
  return (
    <>
      <Formula text={isTransposed(state) ? 'dx = Cᵀ dy' : `y = C x${biased ? ' + b' : ''}`} />
      <p>
        Write x and y as one long list each. Every y is a sum of x’s times weights, so a <em>matrix</em> C of weights
        turns x into y. A row is one cell of y; a column lists the cells of y that use one x.
      </p>
      <p>
        Every row holds the same few weights, shifted; all other entries are 0. {GROUPED[g.groups > 1 ? 1 : 0]}
        {g.n > 1 && ` Each of the ${g.n} images is multiplied by the same C.`}
      </p>
      <p>
        Cᵀ is the <em>transpose</em> of C, with rows and columns swapped. It gives the gradient: dx = Cᵀ dy. The adjoint
        test checks that: the dot products ⟨C x, dy⟩ and ⟨x, Cᵀ dy⟩ are equal for any x and dy
        {biased ? ' (b is not part of C)' : ''}
        {g.n > 1 ? ', over all images' : ''}.
      </p>
    </>
  );
}

const GROUPED = ['', 'The filters of a group read only its channels, so C consists of blocks.'] as const;

export const matrixView: View = {
  sentence: 'The convolution as one large matrix: a row for each cell of y, a column for each cell of x.',
  needs: () => [{ kind: 'adjoint' }],
  showsPartialAnswers: true,
  Component: MatrixView,
  Settings: MatrixSettings,
  Player: MatrixPlayer,
  About: AboutMatrix,
};
