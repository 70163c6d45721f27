import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Focus } from '../geometry/focus';
import type { Cell } from '../protocol/cell';
import type { Geometry, Tensor, TensorName } from '../protocol/problem';
import type { Spot } from '../ui/grid/grid-data';
import type { Mark } from '../ui/grid/marks';
import { TensorGrid } from '../ui/grid/TensorGrid';
import { heardAs } from '../views/kit/cell-names';
import { READABLE, whole } from '../views/kit/fit';
import { Panel } from '../views/kit/Panel';
import { cellOfSpot, gridData, planeOf } from '../views/kit/plane';

export interface ValueMap {
  /** Beside the tensor's name: "is right". */
  readonly subtitle: string;
  /** For who hears it. */
  readonly label: string;
  readonly tensor: Pick<Tensor, 'data'>;
}

interface DifferenceMapsProps {
  readonly geometry: Geometry;
  readonly made: TensorName;
  /** The slices that are drawn. */
  readonly focus: Focus;
  /** Drawn in the same colours: where they differ the maps look different. */
  readonly maps: readonly ValueMap[];
  readonly maxAbs: number;
  /** What one is off by; not drawn where that is nothing. */
  readonly off: ValueMap & { readonly maxAbs: number };
  /** For a grid, in CSS pixels: where several stand side by side, and by itself. */
  readonly room: { readonly beside: number; readonly alone: number };
  readonly onHover: (cell: Cell | null) => void;
  readonly onPick: (cell: Cell) => void;
}

const LARGEST = 36;
const NO_MARKS = signal<readonly Mark[]>([]);

/** Side of a cell: figures are worth a longer panel. */
function sizeOf(cells: number, room: DifferenceMapsProps['room']): number {
  const [beside, alone] = [whole(room.beside / cells), whole(room.alone / cells)];
  return beside < READABLE && alone >= READABLE ? READABLE : Math.min(LARGEST, beside);
}

/** One tensor as two have computed it, and by how much they differ. */
export function DifferenceMaps(props: DifferenceMapsProps) {
  const { geometry: g, made, focus, maps, maxAbs, off, room, onHover, onPick } = props;
  const { n, c, k } = focus;
  const plane = useMemo(() => planeOf(g, made, { n, c, k }), [g, made, n, c, k]);
  const size = sizeOf(Math.max(plane.rows, plane.cols, 1), room);
  const events = useMemo(() => {
    const at = (spot: Spot | null) => spot && cellOfSpot(g, plane, spot);
    return {
      onHover: (spot: Spot | null) => onHover(at(spot)),
      onMove: (spot: Spot) => onHover(at(spot)),
      onPick: (spot: Spot) => {
        const cell = at(spot);
        if (cell) onPick(cell);
      },
      nameOf: (spot: Spot) => heardAs(g, at(spot)),
    };
  }, [g, plane, onHover, onPick]);
  const drawn = [...maps.map((map) => ({ ...map, maxAbs })), ...(off.maxAbs > 0 ? [off] : [])];
  return (
    <>
      {drawn.map(({ subtitle, label, tensor, maxAbs: most }) => {
        const scale = { maxAbs: most, ramp: 'signed', transfer: 'linear' } as const;
        return (
          <Panel key={subtitle} tensor={made} title={made} subtitle={subtitle} size="" scale={scale} legend={false}>
            <TensorGrid
              label={label}
              data={gridData(plane, tensor.data)}
              scale={scale}
              size={size}
              marks={NO_MARKS}
              {...events}
            />
          </Panel>
        );
      })}
    </>
  );
}
