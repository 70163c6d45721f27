import type { ReadonlySignal } from '@preact/signals';
import { AROUND } from '../shared/fit';
import { accentOf } from '../shared/GridPanel';
import { useDerived } from '../shared/view-model';
import type { Cone, Reached } from './cone';
import { GRADIENTS, type NetFit, type PanelBox, VALUES } from './fit-net';
import type { Net, Side } from './net';
import { isComputed, type NetStep } from './steps';

interface BandsProps {
  readonly net: ReadonlySignal<Net | null>;
  readonly cone: ReadonlySignal<Cone | null>;
  readonly step: ReadonlySignal<NetStep | null>;
  readonly fit: NetFit;
}

/** The cone of the pointed cell: between neighboring tensors, a band from the cells in one to those in the other. */
export function Bands({ net, cone, step, fit }: BandsProps) {
  const bands = useDerived(() => {
    const [now, all] = [net.value, cone.value];
    if (!now || !all) return [];
    return (['value', 'gradient'] as const).flatMap((side) =>
      now.layers.flatMap((layer, i) => {
        const [from, to] = [all[side][i], all[side][i + 1]];
        const isThere = isComputed(now, step.value, { at: side === 'value' ? i + 1 : i, side });
        return from && to && isThere
          ? [
              {
                key: `${side} ${i}`,
                of: layer.tensors.w ? ('w' as const) : ('y' as const),
                d: bandOf(fit, side, i, from, to),
              },
            ]
          : [];
      }),
    );
  }, [net, cone, step, fit]).value;
  return (
    <svg class="net__bands cover" width="100%" height={fit.height} aria-hidden="true">
      {bands.map(({ key, of, d }) => (
        <path key={key} class="net__band" style={{ color: accentOf(of) }} d={d} />
      ))}
    </svg>
  );
}

function bandOf({ boxes, stacked }: NetFit, side: Side, i: number, from: Reached, to: Reached): string {
  const row = side === 'value' ? VALUES : GRADIENTS;
  const [a, b] = [boxes[i]?.[row], boxes[i + 1]?.[row]];
  if (!a || !b) return '';
  const [one, other] = [areaOf(a, from), areaOf(b, to)];
  const points = stacked
    ? [one.left, one.bottom, one.right, one.bottom, other.right, other.top, other.left, other.top]
    : [one.right, one.top, other.left, other.top, other.left, other.bottom, one.right, one.bottom];
  return `M${points.join(' ')}z`;
}

/** In CSS pixels from the corner of the view. */
function areaOf({ left, top, cell }: PanelBox, { rows, cols }: Reached) {
  const [x, y] = [left + AROUND.frame / 2, top + AROUND.head + AROUND.frame / 2];
  return {
    left: x + cols.first * cell,
    right: x + (cols.first + cols.count) * cell,
    top: y + rows.first * cell,
    bottom: y + (rows.first + rows.count) * cell,
  };
}
