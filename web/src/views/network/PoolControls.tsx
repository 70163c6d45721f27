import type { PoolDesc } from '../../protocol/network';
import { Select } from '../../ui/controls/Choice';
import { useViewModel } from '../kit/view-model';
import type { NetLayer } from './net';

/** Largest window and stride in the menus; a link can have larger ones. */
const MOST = 8;

/** The menus of a pooling layer: window, stride and padding, the same for rows and columns. */
export function PoolControls({
  layer: { number, geometry: g },
  pool,
}: {
  readonly layer: NetLayer;
  readonly pool: PoolDesc;
}) {
  const { events } = useViewModel();
  const { top, bottom, left, right } = pool.padding;
  const room = Math.min(g.h + top + bottom, g.w + left + right);
  const change = (next: Partial<PoolDesc>) =>
    events.onNetwork({ kind: 'pool', layer: number - 1, pool: { ...pool, ...next } });
  const sides = (size: number) => ({ top: size, bottom: size, left: size, right: size });
  const menus = [
    {
      name: 'window',
      first: 1,
      last: Math.min(MOST, room),
      value: same(pool.kh, pool.kw),
      // Each side of the padding is smaller than the window.
      set: (size: number) => ({
        ...{ kh: size, kw: size },
        padding: {
          ...{ top: Math.min(top, size - 1), bottom: Math.min(bottom, size - 1) },
          ...{ left: Math.min(left, size - 1), right: Math.min(right, size - 1) },
        },
      }),
    },
    {
      name: 'stride',
      first: 1,
      last: MOST,
      value: same(pool.stride_h, pool.stride_w),
      set: (size: number) => ({ stride_h: size, stride_w: size }),
    },
    {
      name: 'padding',
      first: 0,
      last: Math.min(pool.kh, pool.kw) - 1,
      value: same(top, bottom, left, right),
      set: (size: number) => ({ padding: sides(size) }),
    },
  ];
  return (
    <div class="net-card__pool">
      {menus.map(({ name, first, last, value, set }) => (
        <div key={name} class="net-card__menu">
          <span aria-hidden="true">{name}</span>
          <Select
            label={`${name} of layer ${number}`}
            quiet
            placeholder="…"
            options={Array.from({ length: last - first + 1 }, (_, i) => {
              const text = String(first + i);
              return { value: text, label: text };
            })}
            value={value}
            onChange={(text) => change(set(Number(text)))}
          />
        </div>
      ))}
    </div>
  );
}

/** The size that all have; '': they differ. */
const same = (first: number, ...others: readonly number[]): string =>
  others.every((each) => each === first) ? String(first) : '';
