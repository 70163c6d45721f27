import { useState } from 'preact/hooks';
import { type Focus, focusOn, groupOfFilter, validFocus } from '../../geometry/focus';
import { cellName } from '../../geometry/labels';
import type { Cell } from '../../protocol/cell';
import type { Geometry, Tensor } from '../../protocol/problem';
import type { ResultComparison } from '../../protocol/questions';
import { Button } from '../../ui/controls/Button';
import { NumberField } from '../../ui/controls/NumberField';
import { formatExact } from '../../ui/numbers';
import { DifferenceMaps } from '../page/DifferenceMaps';
import type { Page } from '../page/page';
import type { Imported } from './imported';

interface ComparisonMapsProps {
  readonly page: Page;
  readonly geometry: Geometry;
  readonly imported: Imported;
  readonly ours: Tensor;
  readonly comparison: ResultComparison;
  readonly onDone: () => void;
}

const START: Focus = { n: 0, c: 0, k: 0 };

/** The cell with the largest difference. */
export function Worst({ page, geometry, imported: { result, values }, ours, comparison, onDone }: ComparisonMapsProps) {
  const { worst, difference } = comparison;
  if (worst === null) return null;
  const name = cellName(geometry, { tensor: result, index: worst });
  const [yours = 0, here = 0, off = 0] = [values[worst], ours.data[worst], difference.data[worst]];
  return (
    <p class="numbers__end">
      <span>
        Largest difference at {name}: yours {formatExact(yours)}, ours {formatExact(here)}
        {Number.isFinite(off) && `, difference ${formatExact(off)}`}.
      </span>
      <Button
        onClick={() => {
          page.look.pinAndShow({ tensor: result, index: worst });
          onDone();
        }}
      >
        Show {name}
      </Button>
    </p>
  );
}

const ROOM = { beside: 280, alone: 400 };
const NOTHING = () => undefined;

/** The slice axes of a tensor: part of the focus, label, first index and count. */
function axesOf(g: Geometry, { result }: Imported, { k }: Focus) {
  if (result === 'db') return [];
  const filter = { axis: 'k', label: 'filter', first: 0, count: g.k } as const;
  const channels = { axis: 'c', label: 'channel' } as const;
  if (result === 'dw') return [filter, { ...channels, first: groupOfFilter(g, k) * g.group_c, count: g.group_c }];
  const image = { axis: 'n', label: 'image', first: 0, count: g.n } as const;
  return [image, result === 'y' ? filter : { ...channels, first: 0, count: g.c }];
}

/** The imported values, ours and the difference, at first in the slice with the largest difference. */
export function ComparisonMaps({ page, geometry: g, imported, ours, comparison, onDone }: ComparisonMapsProps) {
  const { result } = imported;
  const [chosen, setFocus] = useState<Focus>(() =>
    comparison.worst === null ? START : focusOn(g, { tensor: result, index: comparison.worst }, START),
  );
  // A filter of dw has the channels of its group only; x and dx show any channel with any filter.
  const focus = result === 'dw' ? validFocus(g, chosen) : chosen;
  const pinAndShow = (cell: Cell) => {
    page.look.pinAndShow(cell);
    onDone();
  };
  const axes = axesOf(g, imported, focus).filter(({ count }) => count > 1);
  const go = (axis: keyof Focus, value: number) => setFocus({ ...focus, [axis]: value });
  return (
    <>
      <div class="numbers__slices">
        {axes.map(({ axis, label, first, count }) => (
          <NumberField
            key={axis}
            label={label}
            value={focus[axis]}
            bounds={{
              min: first,
              max: first + count - 1,
              minReason: `the first ${label} is ${first}`,
              maxReason: `the last ${label} is ${first + count - 1}`,
              values: null,
            }}
            onChange={(value) => go(axis, value)}
          />
        ))}
      </div>
      <div class="numbers__maps">
        <DifferenceMaps
          geometry={g}
          result={result}
          focus={focus}
          maps={[
            { subtitle: 'yours', label: `${result}, imported`, tensor: { data: imported.values } },
            { subtitle: 'ours', label: `${result}, computed here`, tensor: ours },
          ]}
          maxAbs={ours.stats.max_abs || comparison.user_stats.max_abs}
          difference={{
            subtitle: 'yours − ours',
            label: `${result}, difference`,
            tensor: comparison.difference,
            maxAbs: comparison.difference.stats.max_abs,
          }}
          room={ROOM}
          onHover={NOTHING}
          onPick={pinAndShow}
        />
      </div>
    </>
  );
}
