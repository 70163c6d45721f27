import type { ComponentChildren } from 'preact';
import type { PoolDesc } from '../../protocol/network';
import { Button } from '../../ui/controls/Button';
import { Select } from '../../ui/controls/Choice';
import { Formula } from '../../ui/Formula';
import { useViewModel } from '../kit/view-model';
import type { Net, NetLayer } from './net';

const FORMULAS: Readonly<Record<NetLayer['kind'], string>> = {
  conv: 'y = x ∗ w',
  relu: 'y = max(0, x)',
  max_pool: 'y = max x',
  average_pool: 'y = Σ x / n',
};

interface LayerCardProps {
  readonly net: Net;
  readonly layer: NetLayer;
  /** The panels of its weights and their gradients. */
  readonly children: ComponentChildren;
}

/** A layer: its name, sizes and formula, and what can be done with it. */
export function LayerCard({ net, layer, children }: LayerCardProps) {
  const { events, exercise } = useViewModel();
  const { number, title, kind, isOpen, geometry: g, b, pool } = layer;
  const hasMenus = pool !== null && !exercise.value;
  const index = number - 1;
  const isLastConv = kind === 'conv' && net.layers.filter((each) => each.kind === 'conv').length === 1;
  const { stride_h, stride_w } = g;
  const stride = stride_h === stride_w ? stride_h : `${stride_h}×${stride_w}`;
  return (
    <section class={isOpen ? 'net-card net-card--open' : 'net-card'} aria-label={`Layer ${number}: ${title}`}>
      <h3 class="net-card__title">
        <span class="net-card__number">{number}</span>{' '}
        {hasMenus ? title.replace(/ \d.*/, '') : title.replace(' × ', '×')}
      </h3>
      <p class="net-card__sizes">
        {g.h}×{g.w} → {g.oh}×{g.ow}
        {stride_h * stride_w > 1 && !hasMenus && <span>, stride {stride}</span>}
      </p>
      <Formula text={kind === 'conv' && b ? 'y = x ∗ w + b' : FORMULAS[kind]} />
      {hasMenus && <PoolControls layer={layer} pool={pool} />}
      {children}
      <div class="net-card__acts">
        {kind === 'conv' &&
          (isOpen ? (
            <span class="net-card__state">open</span>
          ) : (
            <Button
              label={`Open layer ${number}: ${title}`}
              disabled={exercise.value}
              onClick={() => events.onNetwork({ kind: 'open', layer: index })}
            >
              Open
            </Button>
          ))}
        {net.layers.length > 1 && !isLastConv && (
          <Button
            kind="icon"
            label={`Remove layer ${number}: ${title}`}
            disabled={exercise.value}
            onClick={() => events.onNetwork({ kind: 'remove', layer: index })}
          />
        )}
      </div>
    </section>
  );
}

/** Largest window and stride in the menus; a link can have larger ones. */
const MOST = 8;

/** The menus of a pooling layer: window, stride and padding, the same for rows and columns. */
function PoolControls({ layer: { number, geometry: g }, pool }: { readonly layer: NetLayer; readonly pool: PoolDesc }) {
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
