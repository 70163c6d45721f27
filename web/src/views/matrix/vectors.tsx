import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { gridOf, type Region, regionIndices } from '../../geometry/grid';
import type { Highlights } from '../../look/look-store';
import type { Cell, Geometry, Tensor, TensorName } from '../../protocol/problem';
import { scaleEnd } from '../../ui/color-scale';
import { type GridData, isData, NO_RING, type Spot, sized, type Viewport } from '../../ui/grid/grid-data';
import type { MapView } from '../../ui/grid/HeatGrid';
import { drawHeat } from '../../ui/grid/heat-canvas';
import { MarkLayer, oneCell } from '../../ui/grid/marks';
import { NumberGrid } from '../../ui/grid/NumberGrid';
import { useTheme } from '../../ui/theme';
import { cellEvents } from '../shared/cell-events';
import { accentOf } from '../shared/GridPanel';
import { marksOf } from '../shared/plane';
import { useDerived, useGeometry, useScale, useViewModel } from '../shared/view-model';

/** The names of the vectors, and the sign between the result and the matrix. */
export const Names = ({ result, factor }: Readonly<Record<'result' | 'factor', TensorName>>) => (
  <>
    <span class="conv-name conv-name--column" style={{ color: accentOf(result) }} aria-hidden="true">
      {result}
    </span>
    <span class="conv-sign" aria-hidden="true">
      =
    </span>
    <span class="conv-name conv-name--row" style={{ color: accentOf(factor) }} aria-hidden="true">
      {factor}
    </span>
  </>
);

interface VectorProps {
  readonly name: TensorName;
  /** Drawn as a row. */
  readonly lying: boolean;
}

/** All cells of one image of x, y, dx or dy in one row or column. */
function useVector({ name, lying }: VectorProps) {
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
  return data && handlers && { data, scale, marks, handlers };
}

const styleOf = (name: TensorName, lying: boolean) => ({
  '--accent': accentOf(name),
  gridArea: lying ? '1 / 3' : '2 / 1',
});

/** A vector with its values. */
export function Vector({ size, ...props }: VectorProps & { size: number }) {
  const { name, lying } = props;
  const vector = useVector(props);
  if (!vector) return null;
  const { handlers, ...grid } = vector;
  return (
    <div style={styleOf(name, lying)}>
      <div class="panel__frame">
        <NumberGrid label={`${name} in one ${lying ? 'row' : 'column'}`} size={size} {...grid} {...handlers} />
      </div>
    </div>
  );
}

/** Thickness of a strip, in CSS pixels; and the least cell that is not repeated across it. */
const THICK = { least: 10, most: 24 } as const;
const SINGLE = 7;

/** A vector beside a map of C: the cells of the lines in sight. Its tensor has them for the keyboard. */
export function Strip({ map: { view, fitted }, ...props }: VectorProps & { map: MapView }) {
  const { name, lying } = props;
  const theme = useTheme();
  const canvas = useRef<HTMLCanvasElement>(null);
  const vector = useVector(props);
  const thick = Math.max(THICK.least, Math.min(THICK.most, fitted.cell));
  const times = view.cell < SINGLE ? Math.ceil(thick / view.cell) : 1;
  const across = Math.min(thick, times * view.cell);
  const start = Math.max(0, (times - across / view.cell) / 2);
  const seen: Viewport = lying ? { ...view, row: start, height: across } : { ...view, col: start, width: across };
  useLayoutEffect(() => {
    if (!canvas.current || !vector) return;
    const { data, scale } = vector;
    const wide = { ...data, ...(lying ? { rows: times } : { cols: times }), indexOf: indexIn(data) };
    drawHeat(canvas.current, { data: wide, scale, theme, pixels: new OffscreenCanvas(1, 1) }, seen);
  });
  const marks = useDerived(
    () =>
      (vector?.marks.value ?? []).map(({ tone, area }) => ({
        tone,
        area: { ...area, ...(lying ? { rows: times } : { cols: times }) },
      })),
    [vector?.marks, lying, times],
  );
  if (!vector) return null;
  const { data, handlers } = vector;
  const spotOf = ({ offsetX, offsetY }: MouseEvent): Spot | null => {
    const at = lying ? Math.floor(view.col + offsetX / view.cell) : Math.floor(view.row + offsetY / view.cell);
    const spot = lying ? { row: 0, col: at } : { row: at, col: 0 };
    return isData(data, spot) ? spot : null;
  };
  return (
    <div class={lying ? 'conv-strip' : 'conv-strip conv-strip--column'} style={styleOf(name, lying)} aria-hidden="true">
      <canvas
        ref={canvas}
        style={sized(seen.width, seen.height)}
        onPointerMove={(event) => handlers.onHover(spotOf(event))}
        onPointerLeave={() => handlers.onHover(null)}
        onClick={(event) => {
          const spot = spotOf(event);
          if (spot) handlers.onPick(spot);
        }}
      />
      <MarkLayer marks={marks} view={seen} />
    </div>
  );
}

/** Only visible cells are drawn. */
const indexIn =
  ({ offset, rowStep, colStep }: GridData) =>
  (row: number, col: number) =>
    offset + row * rowStep + col * colStep;

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

const cellsPerImage = (g: Geometry, name: TensorName) => gridOf(g, name).cells / g.n;

/** The marks of the highlights on the vector. */
function marksOnVector(g: Geometry, name: TensorName, n: number, lying: boolean, lit: Highlights | null) {
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
