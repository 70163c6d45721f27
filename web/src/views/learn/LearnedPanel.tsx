import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Tensor, TensorName } from '../../protocol/problem';
import type { Mark } from '../../ui/grid/marks';
import { TensorGrid } from '../../ui/grid/TensorGrid';
import { Panel } from '../kit/Panel';
import { PlaneChooser } from '../kit/PlaneChooser';
import { gridData, planeOf } from '../kit/plane';
import { LayoutBox } from '../kit/stage/LayoutBox';
import { hasLegend, slicesOf, twin } from '../kit/stage/layout';
import { useGeometry, useViewModel } from '../kit/view-model';

interface LearnedPanelProps {
  /** The tensor that gives the cell size and position. */
  readonly like: TensorName;
  readonly tensor: Tensor;
  /** Default: `like`. */
  readonly title?: string;
  readonly subtitle: string;
  /** Shows a chooser of the other slices. */
  readonly chooses?: boolean;
}

const NO_MARKS = signal<readonly Mark[]>([]);
const nothing = () => undefined;

/** A tensor of the descent in its usual place. Its cells are not explained: Explain describes the problem's own weights. */
export function LearnedPanel({ like, tensor, title = like, subtitle, chooses = false }: LearnedPanelProps) {
  const g = useGeometry();
  const { focus, transfer, layout } = useViewModel();
  const { n, c, k } = focus.value;
  const spread = transfer.value;
  const data = useMemo(() => gridData(planeOf(g, like, { n, c, k }), tensor.data), [g, like, n, c, k, tensor]);
  const maxAbs = tensor.stats.max_abs;
  const scale = useMemo(() => ({ maxAbs, ramp: 'signed', transfer: spread }) as const, [maxAbs, spread]);
  const size = layout.value.cell[twin(like)];
  const several = slicesOf(g, like).length > 0;
  return (
    <LayoutBox box={layout.value.slots[like]}>
      <Panel
        tensor={like}
        group={several}
        title={title}
        subtitle={subtitle}
        size={like === 'b' || like === 'db' ? '' : `${data.rows} × ${data.cols}`}
        scale={scale}
        legend={hasLegend(like, size)}
        below={several && chooses && <PlaneChooser tensor={like} scale={scale} />}
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
    </LayoutBox>
  );
}
