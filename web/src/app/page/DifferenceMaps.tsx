import { useMemo } from 'preact/hooks';
import type { Focus } from '../../geometry/grid';
import type { Cell, Geometry, Tensor, TensorName } from '../../protocol/problem';
import { planeEvents } from '../../views/shared/cell-events';
import { LARGEST, READABLE, wholePixels } from '../../views/shared/fit';
import { GridPanel } from '../../views/shared/GridPanel';
import { gridData, planeOf } from '../../views/shared/plane';

interface ValueMap {
  /** After the tensor's name: "computed". */
  readonly subtitle: string;
  readonly label: string;
  readonly tensor: Pick<Tensor, 'data'>;
}

interface DifferenceMapsProps {
  readonly geometry: Geometry;
  readonly result: TensorName;
  readonly focus: Focus;
  /** Drawn on the same color scale, so that differences are visible. */
  readonly maps: readonly ValueMap[];
  readonly maxAbs: number;
  /** The difference; not drawn where it is 0 everywhere. */
  readonly difference: ValueMap & { readonly maxAbs: number };
  /** Width for one grid in CSS pixels: side by side, and alone. */
  readonly room: { readonly beside: number; readonly alone: number };
  readonly onHover: (cell: Cell | null) => void;
  readonly onPick: (cell: Cell) => void;
}

/** Side of a cell in CSS pixels: grids are stacked if only that makes the numbers readable. */
function sizeOf(cells: number, room: DifferenceMapsProps['room']) {
  const [beside, alone] = [wholePixels(room.beside / cells), wholePixels(room.alone / cells)];
  return beside < READABLE && alone >= READABLE ? READABLE : Math.min(LARGEST, beside);
}

export function DifferenceMaps(props: DifferenceMapsProps) {
  const { geometry: g, result, focus, maps, maxAbs, difference, room, onHover, onPick } = props;
  const { n, c, k } = focus;
  const plane = useMemo(() => planeOf(g, result, { n, c, k }), [g, result, n, c, k]);
  const size = sizeOf(Math.max(plane.rows, plane.cols, 1), room);
  const events = planeEvents(g, plane, { onHover, onMove: onHover, onPick });
  const drawn = [...maps.map((map) => ({ ...map, maxAbs })), ...(difference.maxAbs > 0 ? [difference] : [])];
  return (
    <>
      {drawn.map(({ subtitle, label, tensor, maxAbs: most }) => (
        <GridPanel
          key={subtitle}
          tensor={result}
          subtitle={subtitle}
          size=""
          scale={{ maxAbs: most, ramp: 'signed', transfer: 'linear' }}
          legend={false}
          label={label}
          data={gridData(plane, tensor.data)}
          fit={size}
          events={events}
        />
      ))}
    </>
  );
}
