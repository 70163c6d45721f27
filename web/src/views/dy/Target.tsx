import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Mark } from '../../ui/grid/marks';
import { TensorGrid } from '../../ui/grid/TensorGrid';
import { Panel } from '../kit/Panel';
import { gridData, planeOf } from '../kit/plane';
import { LayoutBox } from '../kit/stage/LayoutBox';
import { useDerived, useGeometry, useViewModel } from '../kit/view-model';

const NO_MARKS = signal<readonly Mark[]>([]);
const nothing = () => undefined;

/** The plane of the target that dy shows, in the colors of y and in the place of x. */
export function Target({ target }: { readonly target: Float32Array }) {
  const g = useGeometry();
  const { content, focus, transfer, layout } = useViewModel();
  const maxAbs = useDerived(() => content.value.tensors.y?.stats.max_abs ?? 0, [content]).value;
  const { n, c, k } = focus.value;
  const spread = transfer.value;
  const data = useMemo(() => gridData(planeOf(g, 'y', { n, c, k }), target), [g, n, c, k, target]);
  const scale = useMemo(() => ({ maxAbs, ramp: 'signed', transfer: spread }) as const, [maxAbs, spread]);
  return (
    <LayoutBox box={layout.value.slots.x}>
      <Panel tensor="y" title="target" subtitle="of y" size={`${g.oh} × ${g.ow}`} scale={scale}>
        <TensorGrid
          label="target"
          data={data}
          scale={scale}
          size={layout.value.cell.y}
          marks={NO_MARKS}
          onHover={nothing}
          onMove={nothing}
          onPick={nothing}
        />
      </Panel>
    </LayoutBox>
  );
}
