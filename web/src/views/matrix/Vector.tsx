import { useMemo } from 'preact/hooks';
import { gridOf } from '../../geometry/grid';
import { type Region, regionIndices } from '../../geometry/region';
import type { Highlights } from '../../look/look-store';
import type { Cell, Geometry, Tensor, TensorName } from '../../protocol/problem';
import { scaleEnd } from '../../ui/color-scale';
import { type GridData, NO_RING, type Spot } from '../../ui/grid/grid-data';
import { type Mark, oneCell } from '../../ui/grid/marks';
import { NumberGrid } from '../../ui/grid/NumberGrid';
import { cellEvents } from '../kit/cell-events';
import { accentOf } from '../kit/GridPanel';
import { marksOf } from '../kit/marks';
import { useDerived, useGeometry, useScale, useViewModel } from '../kit/view-model';

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
    <div style={{ '--accent': accentOf(name), gridArea: lying ? '1 / 2' : '2 / 1' }}>
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

/** One image of a tensor as a single column, or (`lying`) as a single row. */
function vectorData(g: Geometry, name: TensorName, tensor: Tensor, n: number, lying: boolean): GridData {
  const cells = cellsPerImage(g, name);
  return {
    ...(lying ? { rows: 1, cols: cells, rowStep: 0, colStep: 1 } : { rows: cells, cols: 1, rowStep: 1, colStep: 0 }),
    values: tensor.data,
    offset: n * cells,
    ring: NO_RING,
  };
}

const cellsPerImage = (g: Geometry, name: TensorName): number => gridOf(g, name).cells / g.n;

/** The marks of the highlights on the vector. */
function marksOnVector(
  g: Geometry,
  name: TensorName,
  n: number,
  lying: boolean,
  lit: Highlights | null,
): readonly Mark[] {
  if (!lit) return [];
  const cells = cellsPerImage(g, name);
  const areaOf = (index: number) => {
    const at = index - n * cells;
    if (at < 0 || at >= cells) return [];
    return [lying ? oneCell(0, at) : oneCell(at, 0)];
  };
  const areasOf = (region: Region) =>
    region.tensor === name ? Array.from(regionIndices(g, region)).flatMap(areaOf) : [];
  return marksOf(lit, areasOf, lit.cell.tensor === name ? areaOf(lit.cell.index) : []);
}
