import { useMemo } from 'preact/hooks';
import type { Cell } from '../../protocol/cell';
import type { TensorName } from '../../protocol/problem';
import { scaleEnd } from '../../ui/color-scale';
import type { Spot } from '../../ui/grid/grid-data';
import { NumberGrid } from '../../ui/grid/NumberGrid';
import { cellEvents } from '../kit/cell-events';
import { accentOf } from '../kit/Panel';
import { useDerived, useGeometry, useScale, useViewModel } from '../kit/view-model';
import { cellsPerImage, marksOnVector, vectorData } from './vectors';

interface VectorProps {
  readonly name: TensorName;
  readonly size: number;
  /** Drawn as a row. */
  readonly horizontal: boolean;
}

/** All cells of one image of x, y, dx or dy in one row or column beside C. */
export function Vector({ name, size, horizontal: lying }: VectorProps) {
  const { content, focus, highlights, events } = useViewModel();
  const g = useGeometry();
  const tensor = useDerived(() => content.value.tensors[name], [content, name]).value;
  const { n } = focus.value;
  const data = useMemo(() => tensor && vectorData(g, name, tensor, n, lying), [g, name, tensor, n, lying]);
  const scale = useScale(scaleEnd(tensor?.stats));
  const marks = useDerived(() => marksOnVector(g, name, n, lying, highlights.value), [g, name, n, lying, highlights]);
  const handlers = useMemo(() => {
    if (!data) return null;
    const first = n * cellsPerImage(g, name);
    const cellOf = ({ row, col }: Spot): Cell => ({ tensor: name, index: first + row + col });
    return cellEvents(g, cellOf, events, { content, data });
  }, [g, data, name, n, content, events]);
  if (!data || !handlers) return null;
  return (
    <div class={`conv-vector conv-vector--${lying ? 'lying' : 'standing'}`} style={{ '--accent': accentOf(name) }}>
      <div class="panel__frame">
        <NumberGrid
          label={`${name} in one ${lying ? 'row' : 'column'}`}
          data={data}
          scale={scale}
          size={size}
          marks={marks}
          {...handlers}
        />
      </div>
    </div>
  );
}
