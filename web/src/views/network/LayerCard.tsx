import type { ComponentChildren } from 'preact';
import { layerView } from '../../layers/views';
import { Button } from '../../ui/controls/Button';
import { Select } from '../../ui/controls/Choice';
import { Formula } from '../../ui/Formula';
import { useViewModel } from '../shared/view-model';
import type { Net, NetLayer } from './net';

interface LayerCardProps {
  readonly net: Net;
  readonly layer: NetLayer;
  /** The panels of its weights and their gradients. */
  readonly children: ComponentChildren;
}

/** A layer: its name, sizes and formula, and what can be done with it. */
export function LayerCard({ net, layer, children }: LayerCardProps) {
  const { events, exercise } = useViewModel();
  const { number, title, kind, isOpen, geometry: g, fields } = layer;
  const { w, b } = layer.tensors;
  const hasMenus = layerView(kind).rows.length > 0 && !exercise.value;
  const index = number - 1;
  const isLastConv = w !== undefined && net.layers.filter(({ tensors }) => tensors.w).length === 1;
  const { stride_h, stride_w } = g;
  const stride = stride_h === stride_w ? stride_h : `${stride_h}×${stride_w}`;
  return (
    <section
      class={isOpen ? 'net-card net-card--open column small' : 'net-card column small'}
      aria-label={`Layer ${number}: ${title}`}
    >
      <h3 class="net-card__title small">
        <span class="soft">{number}</span> {hasMenus ? title.replace(/ \d.*/, '') : title.replace(' × ', '×')}
      </h3>
      <p class="caption">
        {g.h}×{g.w} → {g.oh}×{g.ow}
        {stride_h * stride_w > 1 && !hasMenus && <span>, stride {stride}</span>}
      </p>
      <Formula text={layerView(kind).formula({ fields, hasBias: b !== undefined })} />
      {hasMenus && <LayerFields layer={layer} />}
      {children}
      <div class="net-card__acts ends tight">
        {w &&
          (isOpen ? (
            <span class="caption">open</span>
          ) : (
            <Button
              label={`Open layer ${number}: ${title}`}
              disabled={exercise.value}
              onClick={() => events.onNetwork({ kind: 'open', layer: index })}
            >
              Open
            </Button>
          ))}
        {!isLastConv && (
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

/** The menus of the fields of a layer. */
function LayerFields({ layer: { number, kind, geometry: g, fields } }: { readonly layer: NetLayer }) {
  const { events } = useViewModel();
  return (
    <div class="net-card__fields wrap caption">
      {layerView(kind).rows.map(({ key, control }) => {
        if (!control) return null;
        const { label, choices, value, set } = control;
        const chosen = value(fields as never);
        return (
          <div key={key} class="net-card__menu row tight">
            <span aria-hidden="true">{label}</span>
            <Select
              label={`${label} of layer ${number}`}
              quiet
              placeholder="…"
              options={choices(fields as never, g).map((choice) => ({ value: String(choice), label: String(choice) }))}
              value={chosen === null ? '' : String(chosen)}
              onChange={(text) =>
                events.onNetwork({ kind: 'fields', layer: number - 1, fields: set(Number(text), fields as never) })
              }
            />
          </div>
        );
      })}
    </div>
  );
}
