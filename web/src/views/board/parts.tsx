import { signal } from '@preact/signals';
import { stepCount } from '../../geometry/steps';
import type { ViewState } from '../../look/look';
import { lazy } from '../../ui/lazy';
import { Late } from '../../ui/notices';
import type { TensorPanelProps } from '../kit/TensorPanel';
import type { ViewProps } from '../kit/view';
import { useGeometry, useViewModel } from '../kit/view-model';
import { chosenSteps } from '../kit/walk/chosen-steps';
import { frameOf } from '../kit/walk/frame';
import { StepPlayer } from '../kit/walk/StepPlayer';

/** Parts of the Overview that do not move its panels: the second chunk has them. */

export { frameOf } from '../kit/walk/frame';
export { Graph, LossText, lossFormulas } from './Graph';

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

/** The sentence of the player while the opening is shown in motion (app/second/after-first-result.tsx). */
export const openingCaption = signal<string | null>(null);

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
