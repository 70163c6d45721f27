import type { ViewState } from '../../look/look';
import { lazy } from '../../ui/lazy';
import { LoadingNotice } from '../../ui/notices';
import type { TensorPanelProps } from '../kit/TensorPanel';
import type { ViewProps } from '../kit/view';

/** The brush, the target, the overlay, and their settings: downloaded when they are first used. */
const dyParts = lazy(() => import('./dy-parts'));

/** The parts that this state needs; null: none, or they are loading. */
export const dyPartsFor = ({ paint, target, overlay, same }: ViewState) =>
  paint || target || overlay || same ? dyParts() : null;

type Settings = Pick<ViewProps, 'wanted' | 'onState'>;

/** The settings of the Overview in the menu of dy. The choice of a dy that the pointer can change lets it do so. */
export const dyMenuOf = ({ wanted, onState }: Settings): TensorPanelProps['menu'] => ({
  onChoose: (kind) => onState({ paint: kind === 'values' || kind === 'one_hot' || '' }),
  children: <LoadedSettings wanted={wanted} onState={onState} />,
});

function LoadedSettings(props: Settings) {
  const parts = dyParts();
  return parts ? <parts.DySettings {...props} /> : <LoadingNotice what="This menu" of={[dyParts]} />;
}
