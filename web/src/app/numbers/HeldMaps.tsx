import { useState } from 'preact/hooks';
import { type Focus, focusOn, groupOfFilter, validFocus } from '../../geometry/focus';
import { cellName } from '../../geometry/labels';
import type { Cell } from '../../protocol/cell';
import type { Geometry, Tensor } from '../../protocol/problem';
import type { Held } from '../../protocol/questions';
import { Button } from '../../ui/controls/Button';
import { NumberField } from '../../ui/controls/NumberField';
import { formatExact } from '../../ui/numbers';
import { DifferenceMaps } from '../DifferenceMaps';
import type { Page } from '../page';
import type { Brought } from './brought';

interface HeldProps {
  readonly page: Page;
  readonly geometry: Geometry;
  readonly brought: Brought;
  readonly ours: Tensor;
  readonly held: Held;
  readonly onDone: () => void;
}

const START: Focus = { n: 0, c: 0, k: 0 };

/** The cell that is furthest off. */
export function Worst({ page, geometry, brought: { made, values }, ours, held, onDone }: HeldProps) {
  const { worst, difference } = held;
  if (worst === null) return null;
  const name = cellName(geometry, { tensor: made, index: worst });
  const [yours = 0, here = 0, off = 0] = [values[worst], ours.data[worst], difference.data[worst]];
  return (
    <p class="numbers__end">
      <span>
        Furthest off is {name}: yours {formatExact(yours)}, ours {formatExact(here)}
        {Number.isFinite(off) && `, off by ${formatExact(off)}`}.
      </span>
      <Button
        onClick={() => {
          page.look.visit({ tensor: made, index: worst });
          onDone();
        }}
      >
        Show {name} on the stage
      </Button>
    </p>
  );
}

const ROOM = { beside: 280, alone: 400 };
const NOTHING = () => undefined;

/** What can be chosen of a tensor: which part of the focus, what it is called, and its numbers. */
function axesOf(g: Geometry, { made }: Brought, { k }: Focus) {
  if (made === 'db') return [];
  const filter = { axis: 'k', label: 'filter', first: 0, count: g.k } as const;
  const channels = { axis: 'c', label: 'channel' } as const;
  if (made === 'dw') return [filter, { ...channels, first: groupOfFilter(g, k) * g.group_c, count: g.group_c }];
  const image = { axis: 'n', label: 'image', first: 0, count: g.n } as const;
  return [image, made === 'y' ? filter : { ...channels, first: 0, count: g.c }];
}

/** Theirs, ours and what they differ by, in the slice where they differ most. */
export function HeldMaps({ page, geometry: g, brought, ours, held, onDone }: HeldProps) {
  const { made } = brought;
  const [chosen, setFocus] = useState<Focus>(() =>
    held.worst === null ? START : focusOn(g, { tensor: made, index: held.worst }, START),
  );
  const focus = made === 'dw' ? validFocus(g, chosen) : chosen;
  const visit = (cell: Cell) => {
    page.look.visit(cell);
    onDone();
  };
  const axes = axesOf(g, brought, focus).filter(({ count }) => count > 1);
  // Of x and dx any channel can be looked at, whatever the filter.
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
              minReason: `${label} ${first} is the first one`,
              maxReason: `${label} ${first + count - 1} is the last one`,
              values: null,
            }}
            onChange={(value) => go(axis, value)}
          />
        ))}
      </div>
      <div class="numbers__maps">
        <DifferenceMaps
          geometry={g}
          made={made}
          focus={focus}
          maps={[
            { subtitle: 'yours', label: `${made} as you brought it`, tensor: { data: brought.values } },
            { subtitle: 'ours', label: `${made} as computed here`, tensor: ours },
          ]}
          maxAbs={ours.stats.max_abs || held.brought_stats.max_abs}
          off={{
            subtitle: 'yours − ours',
            label: `by how much yours differs in ${made}`,
            tensor: held.difference,
            maxAbs: held.difference.stats.max_abs,
          }}
          room={ROOM}
          onHover={NOTHING}
          onPick={visit}
        />
      </div>
    </>
  );
}
