import { useMemo } from 'preact/hooks';
import type { Tensor, TensorName } from '../../protocol/problem';
import { scaleEnd } from '../../ui/color-scale';
import { GridPanel } from '../kit/GridPanel';
import { PlaneChooser } from '../kit/PlaneChooser';
import { gridData, planeOf } from '../kit/plane';
import { slicesOf, twin } from '../kit/stage/layout';
import { useGeometry, useScale, useViewModel } from '../kit/view-model';

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

/** A tensor of the descent in its usual place. Its cells are not explained: Explain describes the problem's own weights. */
export function LearnedPanel({ like, tensor, title = like, subtitle, chooses = false }: LearnedPanelProps) {
  const g = useGeometry();
  const { focus, layout } = useViewModel();
  const { n, c, k } = focus.value;
  const data = useMemo(() => gridData(planeOf(g, like, { n, c, k }), tensor.data), [g, like, n, c, k, tensor]);
  const scale = useScale(scaleEnd(tensor.stats));
  const size = layout.value.cell[twin(like)];
  const several = slicesOf(g, like).length > 0;
  return (
    <GridPanel
      tensor={like}
      group={several}
      title={title}
      subtitle={subtitle}
      size={like === 'b' || like === 'db' ? '' : `${data.rows} × ${data.cols}`}
      scale={scale}
      below={several && chooses && <PlaneChooser tensor={like} scale={scale} />}
      label={`${title} of the descent`}
      data={data}
      fit={size}
      box={layout.value.slots[like]}
    />
  );
}
