import { signal } from '@preact/signals';
import { type Focus, gridOf, positionOf } from '../../geometry/grid';
import { stepCount } from '../../geometry/steps';
import type { ViewState } from '../../look/look';
import { lossEntry } from '../../losses/entries';
import type { Content } from '../../protocol/messages';
import type { Cell, Geometry, TensorName } from '../../protocol/problem';
import { type Loss, singleOf } from '../../sources/loss';
import { oneCell } from '../../ui/grid/marks';
import { lazy } from '../../ui/lazy';
import { Late } from '../../ui/notices';
import { counted } from '../../ui/quantities';
import { block, chosenSteps, marked, planeOf, spotOf } from '../shared/plane';
import { LayoutBox } from '../shared/stage/LayoutBox';
import type { TensorPanelProps, TensorsProps } from '../shared/TensorPanel';
import { useGeometry, useViewModel, type ViewProps } from '../shared/view-model';
import { frameOf, pendingMarks, StepPlayer } from '../shared/walk/StepPlayer';
import './sum-place.css';

/** Parts of the Overview that do not move its panels: the second chunk has them. */

export { frameOf } from '../shared/walk/StepPlayer';

/** None while dy is set directly. */
export const lossFormulas = (loss: Content['loss']): readonly string[] =>
  loss ? [lossEntry(loss.kind).formula('N')] : [];

/** What the gradients are for this dy, in place of "gradient of x". Where a tensor has channels, its title names the one that is shown. */
export function gradientTitles(
  { geometry: g, tensors, fixed }: Content,
  given: Loss,
): NonNullable<TensorsProps['own']> {
  const windows = g.oh * g.ow;
  const single = fixed.dy ? null : singleOf(given);
  const filter = single ? positionOf(g, { tensor: 'dy', index: single.index }).channel : 0;
  const w = single && g.k > 1 ? `filter ${filter} of w` : 'w';
  const titles = {
    dx: single ? [`${w}, stamped`, 'where the window was'] : [`${counted(windows, 'stamp')} of w`, 'added up'],
    dw: single ? ['the window', 'times dy'] : [`${counted(g.n * windows, 'window')} · dy`, 'added up'],
    db: tensors.b ? ['the sum of dy'] : ['if there were a bias'],
  };
  const flat = (['dx', 'dw', 'db'] as const).filter((name) => name === 'db' || gridOf(g, name).size.channel === 1);
  const whole = (name: TensorName) => {
    const { row, channel, col } = gridOf(g, name).size;
    return marked('pending', covered.value.includes(name) ? [block(0, 0, row, name === 'db' ? channel : col)] : []);
  };
  return Object.fromEntries(
    flat.map((name) => [name, { subtitle: breakable(titles[name]), short: true, under: whole(name) }]),
  );
}

/** Breaks between the parts only: the second is cut off where it does not fit. */
const breakable = (parts: readonly string[]) => parts.map((part) => part.replaceAll(' ', '\u00a0')).join(' ');

/** Text in the side panel while no cell is explained. */
export function AboutBoard() {
  return (
    <>
      <p>
        <strong>Forward.</strong> Each cell of y is the sum of one window of x times w, cell by cell. The kernel is not
        flipped: strictly, this is cross-correlation, as in deep learning.
      </p>
      <p>
        <strong>Backward.</strong> dy is short for dL/dy: how the loss L changes with each cell of y. dx is computed
        from dy and w, dw from dy and x, and db from dy alone.
      </p>
    </>
  );
}

/** While the opening is shown in motion (app/deferred/opening.ts): the sentence of the player, and the gradients that are still empty. */
export const openingCaption = signal<string | null>(null);
export const covered = signal<readonly TensorName[]>([]);

/** The sum of a cell in the picture, and its motion. */
const sumParts = lazy('The sum', () => import('./SumLine'));

export const SumPlace = () => (
  <LayoutBox box={useViewModel().layout.value.line}>
    <Late part={sumParts}>{(sum) => <sum.SumLine />}</Late>
  </LayoutBox>
);

/**
 * The products in the window on x; and what covers y at a step (`focus`): the cells that no window has reached, with a hole at the one
 * that the user points at.
 */
export function forwardOwn(
  g: Geometry,
  windows: number,
  focus: Focus | undefined,
  pointed: Cell | null | undefined,
): NonNullable<TensorsProps['own']> {
  const sum = sumParts();
  const x = { over: sum && <sum.WindowProducts /> };
  if (!focus) return { x };
  const spot = pointed?.tensor === 'y' && spotOf(planeOf(g, 'y', focus), positionOf(g, pointed));
  const isPending = spot && (focus.n * g.oh + spot.row) * g.ow + spot.col >= windows;
  const hole = isPending ? [oneCell(spot.row, spot.col)] : [];
  return { x, y: { under: [...pendingMarks(g, 'forward', windows, focus.n), ...marked('pending', hole)] } };
}

/** The player that slides the window over x. */
export function WindowPlayer({ wanted, onState }: ViewProps) {
  const g = useGeometry();
  const { focus } = useViewModel();
  const total = stepCount(g, 'forward');
  const windows = chosenSteps(wanted.t, total, 0);
  const { highlights, sentence } = frameOf(g, 'forward', windows, focus.value);
  const caption = windows > 0 ? sentence : 'Press Play to slide the window and compute y cell by cell.';
  return (
    <StepPlayer
      label="windows of x"
      value={windows}
      total={total}
      row={g.ow}
      highlights={highlights}
      sentence={openingCaption.value ?? caption}
      onSteps={(t) => onState({ t })}
    />
  );
}

/** The brush, the target, the overlay, and their settings: downloaded when they are first used. */
const dyParts = lazy('This menu', () => import('./dy-parts'));

/** The parts that this state needs; null: none, or they are loading. */
export const dyPartsFor = ({ paint, target, overlay, same }: ViewState) =>
  paint || target || overlay || same ? dyParts() : null;

type Settings = Pick<ViewProps, 'wanted' | 'onState'>;

/** The settings of the Overview in the menu of dy. The choice of a dy that the pointer can change lets it do so. */
export const dyMenuOf = ({ wanted, onState }: Settings): TensorPanelProps['menu'] => ({
  onChoose: (kind) => onState({ paint: kind === 'values' || kind === 'one_hot' || '' }),
  children: <Late part={dyParts}>{({ DySettings }) => <DySettings wanted={wanted} onState={onState} />}</Late>,
});
