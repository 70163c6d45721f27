import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Tensor, TensorName } from '../../protocol/problem';
import type { Mark } from '../../ui/grid/marks';
import { TensorGrid } from '../../ui/grid/TensorGrid';
import { LateNotice } from '../../ui/LateNotice';
import { late } from '../../ui/late';
import { Panel } from '../kit/Panel';
import { useGeometry, usePicture } from '../kit/picture';
import { gridData, planeOf } from '../kit/plane';
import { hasLegend, slicesOf, twin } from '../kit/stage/layout';
import { Place } from '../kit/stage/Place';

interface LearntPanelProps {
  /** Whose cells and place it has. */
  readonly like: TensorName;
  readonly tensor: Tensor;
  /** Above it, where it is not `like`. */
  readonly title?: string;
  readonly subtitle: string;
  /** The other slices can be chosen below it. */
  readonly chooses?: boolean;
}

const NO_MARKS = signal<readonly Mark[]>([]);
const nothing = () => undefined;
const planeChooser = late(async () => (await import('../kit/PlaneChooser')).PlaneChooser);

/**
 * A tensor of a descent at its usual place. Its cells are not explained: what explains is of the page's own problem, with other
 * weights.
 */
export function LearntPanel({ like, tensor, title = like, subtitle, chooses = false }: LearntPanelProps) {
  const g = useGeometry();
  const { focus, transfer, layout } = usePicture();
  const { n, c, k } = focus.value;
  const spread = transfer.value;
  const data = useMemo(() => gridData(planeOf(g, like, { n, c, k }), tensor.data), [g, like, n, c, k, tensor]);
  const maxAbs = tensor.stats.max_abs;
  const scale = useMemo(() => ({ maxAbs, ramp: 'signed', transfer: spread }) as const, [maxAbs, spread]);
  const size = layout.value.cell[twin(like)];
  const several = slicesOf(g, like).length > 0;
  const PlaneChooser = several && chooses ? planeChooser() : null;
  return (
    <Place box={layout.value.slots[like]}>
      <Panel
        tensor={like}
        group={several}
        title={title}
        subtitle={subtitle}
        size={like === 'b' || like === 'db' ? '' : `${data.rows} × ${data.cols}`}
        scale={scale}
        legend={hasLegend(like, size)}
        below={
          PlaneChooser ? (
            <PlaneChooser tensor={like} scale={scale} />
          ) : (
            several && chooses && <LateNotice what="The other slices" of={[planeChooser]} />
          )
        }
      >
        <TensorGrid
          label={`${title} of the descent`}
          data={data}
          scale={scale}
          size={size}
          marks={NO_MARKS}
          onHover={nothing}
          onMove={nothing}
          onPick={nothing}
        />
      </Panel>
    </Place>
  );
}
