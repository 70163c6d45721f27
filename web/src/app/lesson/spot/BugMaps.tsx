import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { LookStore } from '../../../look/look-store';
import type { Geometry, Tensor } from '../../../protocol/problem';
import type { Bug } from '../../../protocol/questions';
import type { Spot } from '../../../ui/grid/grid-data';
import type { Mark } from '../../../ui/grid/marks';
import { TensorGrid } from '../../../ui/grid/TensorGrid';
import { heardAs } from '../../../views/kit/cell-names';
import { READABLE, whole } from '../../../views/kit/fit';
import { Panel } from '../../../views/kit/Panel';
import { cellOfSpot, gridData, planeOf } from '../../../views/kit/plane';
import type { Made } from './place';

interface BugMapsProps {
  readonly look: LookStore;
  readonly geometry: Geometry;
  readonly made: Made;
  /** "C" */
  readonly name: string;
  readonly right: Tensor;
  readonly bug: Bug;
}

/** Room for a grid, in CSS pixels: two stand side by side in the panel, or one by itself. */
const HALF = 144;
const FULL = 296;
const LARGEST = 36;
const NO_MARKS = signal<readonly Mark[]>([]);

/** Side of a cell: figures are worth a longer panel. */
function sizeOf(cells: number): number {
  const [beside, alone] = [whole(HALF / cells), whole(FULL / cells)];
  return beside < READABLE && alone >= READABLE ? READABLE : Math.min(LARGEST, beside);
}

/** What the bug computes, beside what is right, and what it is off by: the slices that the stage shows. */
export function BugMaps({ look, geometry: g, made, name, right, bug }: BugMapsProps) {
  const { n, c, k } = look.focus.value;
  const plane = useMemo(() => planeOf(g, made, { n, c, k }), [g, made, n, c, k]);
  const size = sizeOf(Math.max(plane.rows, plane.cols, 1));
  const events = useMemo(() => {
    const at = (spot: Spot | null) => spot && cellOfSpot(g, plane, spot);
    return {
      onHover: (spot: Spot | null) => look.hover(at(spot)),
      onMove: (spot: Spot) => look.hover(at(spot)),
      onPick: (spot: Spot) => {
        const cell = at(spot);
        if (cell) look.toggle(cell);
      },
      nameOf: (spot: Spot) => heardAs(g, at(spot)),
    };
  }, [look, g, plane]);
  // The same colours for both: where they differ the map looks different.
  const scale = { maxAbs: right.stats.max_abs || bug.wrong.stats.max_abs, ramp: 'signed', transfer: 'linear' } as const;
  const off = { ...scale, maxAbs: bug.difference.stats.max_abs };
  const maps = [
    { subtitle: `bug ${name} computes`, label: `${made} as bug ${name} computes it`, tensor: bug.wrong, scale },
    { subtitle: 'is right', label: `${made} as is right`, tensor: right, scale },
    ...(off.maxAbs > 0
      ? [{ subtitle: 'off by', label: `what bug ${name} is off by in ${made}`, tensor: bug.difference, scale: off }]
      : []),
  ];
  return (
    <div class="spot__maps">
      {maps.map(({ subtitle, label, tensor, scale: colours }) => (
        <Panel key={subtitle} tensor={made} title={made} subtitle={subtitle} size="" scale={colours} legend={false}>
          <TensorGrid
            label={label}
            data={gridData(plane, tensor.data)}
            scale={colours}
            size={size}
            marks={NO_MARKS}
            {...events}
          />
        </Panel>
      ))}
    </div>
  );
}
