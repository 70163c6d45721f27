import { useCallback, useMemo, useState } from 'preact/hooks';
import { LAYER_KINDS } from '../../layers/list';
import { layerView, newTitle } from '../../layers/views';
import { MOST_LAYERS } from '../../protocol/layers';
import type { Cell } from '../../protocol/problem';
import { Button } from '../../ui/controls/Button';
import { Select } from '../../ui/controls/Choice';
import { formatCell } from '../../ui/numbers';
import { Scrubber } from '../../ui/scrubber/Scrubber';
import { type AboutProps, useViewModel, type View, type ViewProps } from '../shared/view-model';
import { explained } from './explained';
import { fitNet, GAP, stackNet } from './fit-net';
import { LayerCard } from './LayerCard';
import { NetPanel } from './NetPanel';
import {
  LAYER_PARTS,
  type LayerPart,
  layerSumOf,
  type Net,
  netCellLabel,
  netPlane,
  type Place,
  placeBeside,
  placeText,
  type Side,
  tensorOf,
} from './net';
import { useNet } from './pointed';
import { netStepCount, netStepSentence } from './steps';
import './network.css';

/** Forward from left to right on top, the gradients from right to left below; on a narrow page one layer below the other. */
function NetworkView({ wanted, onState }: ViewProps) {
  const { focus, layout, locked, events } = useViewModel();
  const { net: current, chosen, slices: shownSlices, step, hovered, pointed } = useNet(wanted);
  const net = current.value;
  const onPoint = useCallback(
    (place: Place | null) => {
      hovered.value = place;
    },
    [hovered],
  );
  const onPick = useCallback(
    (place: Place) => {
      const text = current.value ? placeText(current.value, place) : '';
      onState({ cell: text === chosen.peek().cell ? '' : text });
    },
    [current, chosen, onState],
  );
  const onEdit = useCallback(
    (index: number, value: number) => events.onNetwork({ kind: 'cell', index, value }),
    [events],
  );
  const slices = shownSlices.value;
  const onChannel = useCallback(
    (at: number, channel: number) => onState({ slices: slices.split('.').with(at, String(channel)).join('.') }),
    [slices, onState],
  );
  const { arrangement, width, height } = layout.value;
  const stacked = arrangement === 'stack';
  const fit = useMemo(
    () => net && width > 0 && (stacked ? stackNet(net, width) : fitNet(net, { width, height })),
    [net, stacked, width, height],
  );
  if (!net || !fit) return null;
  const slice = focus.value.n;
  const channels = slices.split('.').map(Number);
  const isInputFixed = locked.value.includes('x');
  const shared = { net: current, pointed, step, onPoint, onPick, onChannel };
  const part = (at: number, of: LayerPart, side: Side) => (
    <NetPanel
      key={`${side} ${of}`}
      {...{ ...shared, at, of, side }}
      {...netPlane(net, { at, of }, slice, channels)}
      size={fit.parts[at] ?? 1}
      width={0}
      subtitle=""
    />
  );
  const panel = (at: number, side: Side) => (
    <NetPanel
      key={side}
      {...{ ...shared, at, side, slice }}
      channel={channels[at] ?? 0}
      size={fit.cells[at] ?? 1}
      width={fit.widths[at] ?? 0}
      subtitle={subtitleOf(net, at, side, fit.widths[at] ?? 0)}
      note={side === 'gradient' && at === net.layers.length ? lossText(net) : undefined}
      onEdit={at === 0 && side === 'value' && !isInputFixed ? onEdit : undefined}
    />
  );
  return (
    <div
      class={stacked ? 'net net--stack' : 'net'}
      style={
        stacked ? {} : { gridTemplateColumns: fit.widths.map((each) => `${each}px`).join(' '), columnGap: `${GAP}px` }
      }
    >
      {net.tensors.map((tensor, at) => {
        const layer = net.layers[at - 1];
        return (
          <div key={tensor.name} class="net__column">
            {layer ? (
              <LayerCard net={net} layer={layer}>
                {LAYER_PARTS.map(
                  (of) =>
                    layer.parts[of] &&
                    (of === 'w' || fit.biased[at - 1]) && (
                      <div key={of} class="net-card__parts">
                        {part(at - 1, of, 'value')}
                        {part(at - 1, of, 'gradient')}
                      </div>
                    ),
                )}
              </LayerCard>
            ) : (
              <InputCard net={net} />
            )}
            <div class={at > 0 ? 'place net__value--made' : 'place'}>{panel(at, 'value')}</div>
            <div class={at > 0 ? 'place net__gradient--read' : 'place'}>{panel(at, 'gradient')}</div>
          </div>
        );
      })}
    </div>
  );
}

function InputCard({ net }: { readonly net: Net }) {
  const size = net.tensors[0]?.grid.size;
  return (
    <div class="net-card net-card--input column small">
      <h3 class="net-card__title small">Input</h3>
      <p class="caption">{size && `${size.row}×${size.col}, ${size.channel} channel${size.channel > 1 ? 's' : ''}`}</p>
    </div>
  );
}

/** Beside the name, where it fits. */
const SUBTITLED = 130;

function subtitleOf({ layers }: Net, at: number, side: Side, width: number): string {
  if (side === 'value') return at === 0 ? 'input' : at === layers.length ? 'output' : '';
  if (width < SUBTITLED) return '';
  if (at === 0) return 'gradient of x';
  return at === layers.length ? 'at the end' : `dx of layer ${at + 1}`;
}

const lossText = ({ loss }: Net): string =>
  loss === null ? 'given' : `L = ${formatCell(loss, { digits: 3, chars: 8 })}`;

/** A title without its sizes: "max pooling". */
const WORDS = /^[\p{L} ]+\p{L}/u;

/** A new layer, at the end or between two. */
function NetworkSettings() {
  const { events, exercise, content } = useViewModel();
  const { length } = content.value.layers;
  const [chosen, setChosen] = useState<number | null>(null);
  const at = Math.min(chosen ?? length, length);
  if (length >= MOST_LAYERS) return <p class="net-added row wrap tight">A network has at most {MOST_LAYERS} layers.</p>;
  const places = Array.from({ length }, (_, i) => ({
    value: String(i),
    label: i === 0 ? 'at the start' : `after layer ${i}`,
  }));
  return (
    <fieldset class="net-added row wrap tight">
      <legend>Add a layer</legend>
      <Select
        label="place of the new layer"
        quiet
        options={[...places, { value: String(length), label: 'at the end' }]}
        value={String(at)}
        onChange={(text) => setChosen(Number(text) === length ? null : Number(text))}
      />
      {LAYER_KINDS.map((layer) => (
        <Button
          key={layer}
          label={`Add ${newTitle(layer)}`}
          disabled={exercise.value}
          onClick={() => events.onNetwork({ kind: 'add', layer, at })}
        >
          {WORDS.exec(newTitle(layer))?.[0]}
        </Button>
      ))}
    </fieldset>
  );
}

export const networkView: View = {
  question: 'How do values go forward and gradients back through several layers?',
  sentence: 'The dy of each layer is the dx of the next. Only the last dy comes from the loss.',
  needs: () => [],
  Component: NetworkView,
  Settings: NetworkSettings,
  Player: NetworkPlayer,
  About: AboutNetwork,
};

/** Runs the network forward, layer by layer and cell by cell, then backward. */
function NetworkPlayer({ wanted, onState }: ViewProps) {
  const { onPlay } = useViewModel();
  const { net: current, step: shown, selected } = useNet(wanted);
  const [net, step, other] = [current.value, shown.value, selected.value];
  if (!net) return null;
  const isElsewhere = step && other && placeText(net, other) !== placeText(net, step.place);
  return (
    <Scrubber
      label="steps of the network"
      value={step?.t ?? 0}
      total={netStepCount(net)}
      row={step?.row ?? 1}
      sentence={netStepSentence(net, step)}
      note={other && isElsewhere ? `Selected: ${nameIn(net, other)}.` : undefined}
      onChange={(t) => {
        onPlay();
        onState({ t, cell: '' });
      }}
    />
  );
}

function nameIn(net: Net, place: Place): string {
  const tensor = tensorOf(net, place);
  return tensor ? netCellLabel(tensor, place.side, place.index) : '';
}

/** What the names in a sum of a layer are in the network. */
function namesOf({ layers, tensors }: Net, i: number): string {
  const [layer, x, y] = [layers[i], tensors[i], tensors[i + 1]];
  return layer && x && y && y.name !== 'y'
    ? `In layer ${layer.number} alone, ${i > 0 ? `x is ${x.name}, ` : ''}y is ${y.name} and dy is d${y.name}.`
    : '';
}

/** The pointed cell in one or two lines; without one, what the view shows. */
function AboutNetwork({ wanted, onState, renderSum }: ViewProps & AboutProps) {
  const { net: current, hovered, pointed } = useNet(wanted);
  const isUnaided = useViewModel().noHintYet.value;
  const [net, place] = [current.value, pointed.value];
  const onCell = useCallback(
    (layer: number, cell: Cell) => {
      const [at, now] = [placeBeside(layer, cell), current.peek()];
      if (at && now) onState({ cell: placeText(now, at) });
    },
    [current, onState],
  );
  const all = net && place ? explained(net, place) : [];
  // What a cell is computed from is a hint.
  const lines = isUnaided ? all.slice(0, 1) : all;
  if (lines.length > 0) {
    const [first, ...rest] = lines;
    const sum = !isUnaided && net && place && layerSumOf(net, place);
    return (
      <>
        <div class="net-about" role={hovered.value || wanted.t ? undefined : 'status'}>
          <p>
            <strong>{first}</strong>
          </p>
          {rest.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
        {net && sum && renderSum && (
          <>
            <p class="soft">{namesOf(net, sum.layer)}</p>
            {renderSum({ ...sum, onCell: (cell) => onCell(sum.layer, cell) })}
          </>
        )}
      </>
    );
  }
  const legends = new Set(net?.layers.flatMap(({ kind }) => layerView(kind).legend ?? []));
  return (
    <>
      <p>
        <strong>Forward</strong>, top row: each layer reads the output of the layer before it. <strong>Backward</strong>
        , bottom row: each layer computes the gradient of its input from the gradient of its output.
      </p>
      {legends.size > 0 && <p>{[...legends].join(' ')}</p>}
      <p>Point at a cell to see what it came from and what it reaches, through all layers.</p>
    </>
  );
}
