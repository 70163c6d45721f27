import type { ComponentChildren } from 'preact';
import { Button } from '../../ui/controls/Button';
import { Formula } from '../../ui/Formula';
import { useViewModel } from '../kit/view-model';
import type { Net, NetLayer } from './net';
import { PoolControls } from './PoolControls';

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
          >
            ×
          </Button>
        )}
      </div>
    </section>
  );
}
