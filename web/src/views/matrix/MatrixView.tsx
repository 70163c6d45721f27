import { gridOf } from '../../geometry/grid';
import type { ViewState } from '../../look/look';
import type { Geometry, TensorName } from '../../protocol/problem';
import type { Adjoint } from '../../protocol/questions';
import { Segmented } from '../../ui/controls/Choice';
import { Formula } from '../../ui/Formula';
import { formatScientific } from '../../ui/quantities';
import { READABLE } from '../shared/fit';
import { fitGrid, fitPanels } from '../shared/fit-grid';
import { LayoutBox } from '../shared/stage/LayoutBox';
import { SHORT_STRIP, type StageLayout, slicesOf, wholeStage } from '../shared/stage/layout';
import { TensorPanel, TensorSlots } from '../shared/TensorPanel';
import '../shared/badge.css';
import {
  useBiased,
  useDerived,
  useGeometry,
  useRelit,
  useViewModel,
  type View,
  ViewModelProvider,
  type ViewProps,
} from '../shared/view-model';
import { C_LIMITS, ConvMatrix, entryHighlights, matrixEntryText, sizeOfC } from './ConvMatrix';

const FORMS = [
  { value: '', label: 'y = C x', hint: 'forward: a row for each cell of y' },
  { value: 'transposed', label: 'dx = Cᵀ dy', hint: 'backward: C transposed' },
] as const;

const isTransposed = ({ form }: ViewState) => form === 'transposed';

/** The index of an entry must be an exact integer. */
const isNumbered = (g: Geometry) => Number.isSafeInteger(gridOf(g, 'C').cells) && gridOf(g, 'C').cells > 0;

const FORWARD = ['x', 'w', 'y'] as const;
const BACKWARD = ['dx', 'dy'] as const;
const GAP = 16;
/** Least cell of the tensors beside C, as maps. */
const SEEN = 10;
/** The height of C in a stack: at least this, in CSS pixels; and for all values this share of what is seen at once. */
const STACKED = 240;
const SCROLLED = 1.3;
/** Least share of C that is a part with values, in place of a map of the whole, in a stack. */
const STACKED_SHARE = 0.2;

/** C with its vectors, and the tensors as pictures below or beside it where they have room. */
function MatrixView({ state }: ViewProps) {
  const g = useGeometry();
  const { layout: stageLayout, highlights, focus } = useViewModel();
  const layout = stageLayout.value;
  const transposed = isTransposed(state);
  const entry = useDerived(
    () => entryHighlights(g, highlights.value, focus.value, transposed),
    [g, highlights, focus, transposed],
  );
  const entryModel = useRelit(entry);
  if (!isNumbered(g)) return <p class="view-none">{emptyText(g)}</p>;
  const names = transposed ? BACKWARD : FORWARD;
  const { box, fit, beside, cell, column } = roomsOf(g, layout, names, transposed);
  return (
    <ViewModelProvider value={entryModel}>
      <ConvMatrix {...{ transposed, box, fit }} />
      {layout.arrangement === 'stack' && <TensorSlots names={names} />}
      {beside && (
        <LayoutBox box={beside}>
          <div class={column ? 'conv-tensors conv-tensors--column' : 'conv-tensors'}>
            {names.map((name) => (
              <TensorPanel key={name} tensor={name} size={cell} />
            ))}
          </div>
        </LayoutBox>
      )}
    </ViewModelProvider>
  );
}

/** The room of C, how it is drawn there, and the room of the tensors below or beside it, whichever gives them larger cells. */
function roomsOf(g: Geometry, layout: StageLayout, names: readonly TensorName[], transposed: boolean) {
  const { row, col } = gridOf(g, 'C').size;
  const [rows, cols] = transposed ? [col, row] : [row, col];
  const isStage = layout.arrangement === 'stage';
  const readable = sizeOfC({ kind: 'numbers', size: READABLE }, { rows, cols }).height;
  const stacked = Math.max(layout.sight, readable <= SCROLLED * layout.sight ? readable : STACKED);
  const all = { ...wholeStage(layout), height: isStage ? layout.height : stacked };
  const limits = isStage ? C_LIMITS : { ...C_LIMITS, part: { ...C_LIMITS.part, share: STACKED_SHARE } };
  const fit = fitGrid(all, rows, cols, limits);
  const { width, height } = sizeOfC(fit, { rows, cols });
  const below = { ...all, top: height + GAP, height: all.height - height - GAP };
  const aside = { ...all, left: width + GAP, width: all.width - width - GAP };
  const options = [
    { box: { ...all, height }, beside: below, ...fitPanels(g, names, below) },
    { box: { ...all, width }, beside: aside, ...fitPanels(g, names, aside) },
  ].sort((a, b) => b.cell - a.cell);
  const [best] = options;
  // Many slices of a map could be wider than it.
  const seen = names.some((name) => slicesOf(g, name).some((count) => count > SHORT_STRIP)) ? READABLE : SEEN;
  return isStage && best && best.cell >= seen
    ? { ...best, fit }
    : { box: all, fit, beside: null, cell: 0, column: false };
}

function emptyText(g: Geometry) {
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
      value={isTransposed(wanted) ? 'transposed' : ''}
      onChange={(form) => onState({ form })}
    />
  );
}

function MatrixPlayer({ state, answers }: ViewProps) {
  const g = useGeometry();
  const { highlights } = useViewModel();
  const transposed = isTransposed(state);
  const words = useDerived(
    () => (isNumbered(g) ? matrixEntryText(g, highlights.value?.cell ?? null, transposed) : ''),
    [g, highlights, transposed],
  );
  return (
    <>
      <p class="player-words small">{words}</p>
      <AdjointBadge adjoint={answers.get({ kind: 'adjoint' })} />
    </>
  );
}

/** Largest relative difference that counts as float32 rounding; that of a wrong gradient is far larger. */
const ROUNDING = 1e-4;

/** The adjoint test: the two inner products are equal if dx is Cᵀ dy. */
function AdjointBadge({ adjoint }: { adjoint: Adjoint | null }) {
  // NaN: the values are hidden.
  if (!adjoint || Number.isNaN(adjoint.difference)) return null;
  const { forward, backward, difference, relative } = adjoint;
  return (
    <p class="badge wrap caption adjoint" role="note" aria-label="adjoint test">
      <span>
        ⟨C x, dy⟩ = <b>{formatScientific(forward, 6)}</b>
      </span>
      <span>
        ⟨x, Cᵀ dy⟩ = <b>{formatScientific(backward, 6)}</b>
      </span>
      <span>{verdictOf(difference, relative)}</span>
    </p>
  );
}

function verdictOf(difference: number, relative: number) {
  if (difference === 0) return 'Equal: dx is Cᵀ dy.';
  if (relative <= ROUNDING) return `Difference ${formatScientific(difference, 2)}: rounding.`;
  return `Difference ${formatScientific(difference, 2)}: dx is not Cᵀ dy.`;
}

function AboutMatrix({ state }: ViewProps) {
  const g = useGeometry();
  const biased = useBiased();
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
  question: 'Which matrix is the convolution, and what does its transpose compute?',
  sentence: 'The convolution as one large matrix: a row for each cell of y, a column for each cell of x.',
  needs: () => [{ kind: 'adjoint' }],
  showsPartialAnswers: true,
  Component: MatrixView,
  Settings: MatrixSettings,
  Player: MatrixPlayer,
  About: AboutMatrix,
};
