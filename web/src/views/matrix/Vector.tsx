import { useMemo } from 'preact/hooks';
import { gridOf, positionOf } from '../../geometry/grid';
import { type Region, regionIndices } from '../../geometry/region';
import type { Highlights } from '../../look/look-store';
import type { Cell, Geometry, Tensor, TensorName } from '../../protocol/problem';
import { scaleEnd } from '../../ui/color-scale';
import { type GridData, NO_RING, type Spot } from '../../ui/grid/grid-data';
import { type Mark, type MarkTone, oneCell } from '../../ui/grid/marks';
import { NumberGrid } from '../../ui/grid/NumberGrid';
import { cellEvents } from '../kit/cell-events';
import { accentOf } from '../kit/Panel';
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
  const at = (index: number) => index - n * cells;
  const mark = (tone: MarkTone, index: number): Mark => ({
    tone,
    area: lying ? oneCell(0, at(index)) : oneCell(at(index), 0),
  });
  const marks = (tone: MarkTone, regions: readonly Region[]) =>
    regions
      .filter((region) => region.tensor === name)
      .flatMap((region) => Array.from(regionIndices(g, region), (index) => mark(tone, index)))
      .filter(({ area }) => area.row >= 0 && area.col >= 0 && area.row < cells && area.col < cells);
  const { cell, sources, targets, term } = lit;
  const own = cell.tensor === name && positionOf(g, cell).slice === n ? [mark('focus', cell.index)] : [];
  return [...marks('target', targets), ...marks('source', sources), ...marks('term', term), ...own];
}
