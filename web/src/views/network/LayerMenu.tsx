import { unreadOf } from '../../geometry/axis';
import { DENSE_LABEL, denseText, isDense } from '../../layers/conv/dense';
import { isTransposed } from '../../layers/list';
import type { LayerTable } from '../../layers/view';
import { layerView } from '../../layers/views';
import { type PlaneSizes, sizesOfShape } from '../../protocol/layers';
import { Button } from '../../ui/controls/Button';
import { Select } from '../../ui/controls/Choice';
import { Popover } from '../../ui/controls/Popover';
import { Formula } from '../../ui/Formula';
import { counted } from '../../ui/quantities';
import { useViewModel } from '../shared/view-model';
import type { Net, NetLayer } from './net';
import '../shared/dy-menu.css';

interface LayerMenuProps {
  readonly net: Net;
  readonly layer: NetLayer;
}

/** A layer in one line, before its output: a button that opens what can be done with it. */
export function LayerMenu({ net, layer }: LayerMenuProps) {
  const { events, exercise } = useViewModel();
  const { number, title, kind, geometry: g, fields, parts } = layer;
  const index = number - 1;
  const isLastConv = kind === 'conv' && net.layers.filter((each) => each.kind === 'conv').length === 1;
  const [x, y] = [net.tensors[index]?.grid.size, net.tensors[number]?.grid.size];
  const table = exercise.value ? undefined : layerView(kind).table?.({ geometry: g });
  const details = detailsOf(layer).join(', ');
  // Sizes and details are cut off whole.
  const words = (details ? `${title} (${details})` : title).replace(/(?<= ×| \(.*| \d) | (?=×)/g, '\u00a0');
  return (
    <Popover
      button={
        <>
          <span class="figure__title">{net.tensors[number]?.name}</span>
          <span class="figure__subtitle caption">{words}</span>
          <svg class="dy-menu__chevron" width="9" height="6" viewBox="0 0 9 6" aria-hidden="true">
            <path d="M1 1l3.5 3.5L8 1" fill="none" stroke="currentColor" stroke-width="1.5" />
          </svg>
        </>
      }
      buttonClass="dy-menu__button lit"
      label={`Layer ${number}: ${title}`}
      role="group"
      align="left"
      // The button behind the fields would scroll the head out of a low window. In a menu, undo would be its own.
      first={layerView(kind).rows.some(({ control }) => control) ? 'strong' : 'button'}
    >
      {(close) => (
        <div class="net-card grid tight small">
          <strong tabIndex={-1}>
            Layer {number}: {words}
          </strong>
          <span class="caption">
            {x?.row} × {x?.col} → {y?.row} × {y?.col}
          </span>
          <Formula text={layerView(kind).formula({ fields, hasBias: parts.b !== undefined })} />
          {!exercise.value && <LayerFields layer={layer} input={inputOf(net, index)} />}
          {table && <Table {...table} />}
          <div class="ends">
            {kind === 'conv' && (
              <Button
                label={`Open layer ${number}: ${title}`}
                disabled={exercise.value}
                onClick={() => events.onNetwork({ kind: 'open', layer: index })}
              >
                Open
              </Button>
            )}
            {!isLastConv && (
              <Button
                label={`Remove layer ${number}: ${title}`}
                disabled={exercise.value}
                onClick={() => {
                  close();
                  events.onNetwork({ kind: 'remove', layer: index });
                }}
              >
                Remove
              </Button>
            )}
          </div>
          {kind === 'conv' && !exercise.value && (
            <>
              {!isDense(g) && (
                <Button onClick={() => events.onNetwork({ kind: 'dense', layer: index })}>{DENSE_LABEL}</Button>
              )}
              <p class="note">{denseText(isDense(g))}</p>
            </>
          )}
        </div>
      )}
    </Popover>
  );
}

/** "padding 1", "stride 2", "1 row left over" */
function detailsOf({ kind, geometry: g, parts }: NetLayer): readonly string[] {
  const { top, bottom, left, right } = g.padding;
  const sides = new Set([top, bottom, left, right]);
  const isPool = !parts.w;
  const isUsual = g.stride_h === (isPool ? g.kh : 1) && g.stride_w === (isPool ? g.kw : 1);
  const stride = g.stride_h === g.stride_w ? g.stride_h : `${g.stride_h} × ${g.stride_w}`;
  const unread = (axis: 'row' | 'col') => (isTransposed(kind) ? 0 : unreadOf(g, axis).remainder.length);
  return [
    top + bottom + left + right > 0 && (sides.size === 1 ? `padding ${top}` : 'padding'),
    !isUsual && `stride ${stride}`,
    g.dilation_h * g.dilation_w > 1 && 'dilated',
    unread('row') > 0 && `${counted(unread('row'), 'row')} left over`,
    unread('col') > 0 && `${counted(unread('col'), 'column')} left over`,
  ].filter((detail) => detail !== false);
}

const inputOf = ({ layers, tensors }: Net, index: number): PlaneSizes =>
  sizesOfShape(layers[index]?.geometry.layout ?? 'nhwc', tensors[index]?.value.shape ?? [0, 0, 0, 0]);

const Table = ({ caption, cells, isCut, note }: LayerTable) => (
  <>
    <table class="net-table">
      <caption class="caption">{isCut ? `${caption}: the first` : caption}</caption>
      <tbody>
        {cells.map((row, i) => (
          // The index is the only key of a row.
          <tr key={`${i}`}>
            {row.map((cell, j) => (
              <td key={`${j}`}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
    <p class="small">{note}</p>
  </>
);

/** The menus of the fields of a layer. */
function LayerFields({
  layer: { number, kind, fields },
  input,
}: {
  readonly layer: NetLayer;
  readonly input: PlaneSizes;
}) {
  const { events } = useViewModel();
  return (
    <>
      {layerView(kind).rows.map(({ key, control }) => {
        if (!control) return null;
        const { label, choices, value, set } = control;
        return (
          <div key={key} class="ends">
            <span aria-hidden="true">{label}</span>
            <Select
              label={`${label} of layer ${number}`}
              quiet
              placeholder="…"
              options={choices(fields as never, input).map((choice) => ({ value: choice }))}
              value={value(fields as never)}
              onChange={(choice) =>
                events.onNetwork({ kind: 'fields', layer: number - 1, fields: set(choice, fields as never) })
              }
            />
          </div>
        );
      })}
    </>
  );
}
