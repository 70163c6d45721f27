import { useMemo } from 'preact/hooks';
import { scaleEnd } from '../../ui/color-scale';
import { GridPanel } from '../kit/GridPanel';
import { gridData, planeOf } from '../kit/plane';
import { useDerived, useGeometry, useScale, useViewModel } from '../kit/view-model';

/** The plane of the target that dy shows, in the colors of y and in the place of x. */
export function Target({ target }: { readonly target: Float32Array }) {
  const g = useGeometry();
  const { content, focus, layout } = useViewModel();
  const maxAbs = useDerived(() => scaleEnd(content.value.tensors.y?.stats), [content]).value;
  const { n, c, k } = focus.value;
  const data = useMemo(() => gridData(planeOf(g, 'y', { n, c, k }), target), [g, n, c, k, target]);
  const { slots, cell } = layout.value;
  return (
    <GridPanel
      tensor="y"
      title="target"
      subtitle="of y"
      label="target"
      data={data}
      scale={useScale(maxAbs)}
      fit={cell.y}
      box={slots.x}
    />
  );
}
