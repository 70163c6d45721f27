import type { ReadonlySignal } from '@preact/signals';
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { isTransposed, LAYER_KINDS, type LayerKind } from '../../layers/list';
import { layerView, newTitle } from '../../layers/views';
import { NETWORKS } from '../../lessons/examples';
import { MOST_LAYERS } from '../../protocol/layers';
import type { Cell } from '../../protocol/problem';
import { Button } from '../../ui/controls/Button';
import { Select } from '../../ui/controls/Choice';
import { formatCell, hasHiddenValues } from '../../ui/numbers';
import { Scrubber } from '../../ui/scrubber/Scrubber';
import { READABLE } from '../shared/fit';
import { useGlide } from '../shared/glide';
import { type AboutProps, useDerived, useViewModel, type View, type ViewProps } from '../shared/view-model';
import { Bands } from './Bands';
import { explained } from './explained';
import { fitNet, GRADIENTS, type Lead, stackNet, VALUES, WEIGHTS } from './fit-net';
import { LayerMenu } from './LayerMenu';
import { NetPanel, type NetPanels } from './NetPanel';
import { LAYER_PARTS, layerSumOf, type Net, netPlane, type Place, placeBeside, placePosition, placeText } from './net';
import { useNet } from './pointed';
import { coneSentence, deadSentence, netStepSentence } from './sentences';
import { isComputed, netStepCount } from './steps';
import './network.css';

/** Forward from left to right on top, the gradients from right to left below; on a narrow page one layer below the other. */
function NetworkView({ wanted, onState }: ViewProps) {
  const { focus, layout, noHintYet, events } = useViewModel();
  const { net: current, chosen, slices: shownSlices, step, hovered, selected, pointed, cone } = useNet(wanted);
  const net = current.value;
  const { arrangement, width, height } = layout.value;
  const stacked = arrangement === 'stack';
  const [lead, setLead] = useState<Lead>(() => leadOf(selected.peek()));
  const { at: ledAt, row: ledRow } = lead;
  const fit = useMemo(() => {
    if (!net || width === 0) return null;
    return stacked ? stackNet(net, width) : fitNet(net, { width, height }, { at: ledAt, row: ledRow });
  }, [net, stacked, width, height, ledAt, ledRow]);
  const root = useGlide(fit);
  const shown = useRef(fit);
  shown.current = fit;
  const toLead = useCallback((next: Lead) => {
    const box = shown.current?.boxes[next.at]?.[next.row];
    if (box && box.cell < READABLE) setLead(next);
  }, []);
  /** A cell that has the focus: with more room its grid is another element. */
  const focused = useRef<Place | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the grids follow from it
  useLayoutEffect(() => {
    const [view, place] = [root.current, focused.current];
    const now = current.peek();
    if (view && now && place && !view.contains(document.activeElement)) cellElement(view, now, place)?.focus();
  }, [fit]);
  const onPoint = useCallback(
    (place: Place | null) => {
      if (!place) return;
      hovered.value = place;
      const end = current.peek()?.layers.length;
      if (place.at === end && !place.of) events.onNetwork({ kind: 'point', index: place.index });
      focused.current = root.current?.contains(document.activeElement) ? place : null;
      toLead(leadOf(place));
    },
    [hovered, current, events, root, toLead],
  );
  const onPick = useCallback(
    (place: Place) => {
      const text = current.value ? placeText(current.value, place) : '';
      onState({ cell: text === chosen.peek().cell ? '' : text });
      toLead(leadOf(place));
    },
    [current, chosen, onState, toLead],
  );
  const onEdit = useCallback(
    ({ at, of, index }: Place, value: number) =>
      events.onNetwork({ kind: 'cell', layer: at, of: of ?? 'x', index, value }),
    [events],
  );
  const slices = shownSlices.value;
  const onChannel = useCallback(
    (at: number, channel: number) => onState({ slices: slices.split('.').with(at, String(channel)).join('.') }),
    [slices, onState],
  );
  const last = useRef('');
  const sentence = useDerived(() => {
    const [now, place] = [current.value, pointed.value];
    const dead = now && !selected.value && !noHintYet.value ? deadSentence(now) : null;
    return dead ?? (now && place ? coneSentence(now, place, noHintYet.value ? null : cone.value) : '');
  }, [current, pointed, selected, cone, noHintYet]);
  if (!net || !fit) return null;
  const channels = slices.split('.').map(Number);
  const shared: NetPanels = { net: current, pointed, cone, step, onPoint, onPick, onEdit, onChannel };
  const panel = (at: number, row: number) => {
    const box = fit.boxes[at]?.[row];
    const layer = net.layers[at - 1];
    if (!box || (row === WEIGHTS && !layer?.parts.w)) return null;
    const side = row === GRADIENTS ? 'gradient' : 'value';
    return (
      <div
        key={row}
        class={row === WEIGHTS ? 'net__panel net__weights' : 'net__panel'}
        data-flip={`${at} ${row}`}
        style={{ left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px` }}
        onPointerMove={({ pointerType }) => {
          if (pointerType !== 'touch') toLead({ at, row });
        }}
      >
        {row === WEIGHTS ? (
          LAYER_PARTS.flatMap((of) =>
            layer?.parts[of]
              ? (['value', 'gradient'] as const).map((each) => (
                  <NetPanel
                    key={`${of} ${each}`}
                    {...{ ...shared, at: at - 1, of, side: each }}
                    {...netPlane(net, { at: at - 1, of }, focus.value.n, channels)}
                    size={box.cell}
                    width={0}
                  />
                ))
              : [],
          )
        ) : (
          <NetPanel
            {...{ ...shared, at, side }}
            slice={focus.value.n}
            channel={channels[at] ?? 0}
            size={box.cell}
            width={box.width}
            heading={row === VALUES && layer && <LayerMenu net={net} layer={layer} />}
            note={row === GRADIENTS && isComputed(net, step.value, { at, side }) ? noteOf(net, at) : undefined}
          />
        )}
      </div>
    );
  };
  return (
    <div
      ref={root}
      class={stacked ? 'net net--stack' : 'net'}
      style={{ height: `${fit.height}px` }}
      // Of a layer that moves below a pointer at rest, no cell is pointed at.
      onPointerOverCapture={(event) => {
        const now = `${event.clientX} ${event.clientY}`;
        if (now === last.current) event.stopPropagation();
        last.current = now;
      }}
      onPointerLeave={() => {
        hovered.value = null;
      }}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) hovered.value = null;
      }}
    >
      {!noHintYet.value && <Bands key={`${lead.at} ${lead.row}`} {...{ net: current, cone, step, fit }} />}
      <p class="net__line" style={{ top: `${fit.line}px` }}>
        <Line text={sentence} />
      </p>
      {net.tensors.map((tensor, at) => (
        <div key={tensor.name} class="net__column">
          {[VALUES, WEIGHTS, GRADIENTS].map((row) => panel(at, row))}
        </div>
      ))}
    </div>
  );
}

function Line({ text }: { readonly text: ReadonlySignal<string> }) {
  const [, name = '', tensor = '', words = ''] = /^(d?([a-z])\d?\[[^\]]*\])?(.*)$/.exec(text.value) ?? [];
  return (
    <>
      <i style={{ color: `var(--id-${tensor})` }}>{name}</i>
      {words}
    </>
  );
}

const leadOf = (place: Place | null): Lead =>
  place?.of
    ? { at: place.at + 1, row: WEIGHTS }
    : { at: place?.at ?? 0, row: place?.side === 'gradient' ? GRADIENTS : VALUES };

function cellElement(view: Element, net: Net, place: Place): HTMLElement | null {
  const { at, row } = leadOf(place);
  const position = placePosition(net, place);
  const panels = view.querySelectorAll(`[data-flip="${at} ${row}"] .panel`);
  const panel = panels[(place.of === 'b' ? 2 : 0) + (place.of && place.side === 'gradient' ? 1 : 0)];
  return panel?.querySelector<HTMLElement>(`[data-row="${position?.row}"][data-col="${position?.col}"]`) ?? null;
}

/** "largest 0.125": all gradients have one color scale. A hidden cell may be the largest. */
function noteOf({ loss, layers, tensors }: Net, at: number): string | undefined {
  const { data, stats } = tensors[at]?.gradient ?? {};
  const hides = hasHiddenValues.value && data?.some(Number.isNaN);
  const largest = hides ? undefined : `largest ${formatCell(stats?.max_abs ?? 0, { digits: 3, chars: 8 })}`;
  if (at < layers.length) return largest;
  return loss === null ? largest : `L = ${formatCell(loss, { digits: 3, chars: 8 })}`;
}

/** "max pool 2 × 2". */
const addedTitle = (kind: LayerKind): string => newTitle(kind).replace('pooling', 'pool');
/** "max pool": the first words of that name, so that all kinds stand in one row. */
const shortTitle = (kind: LayerKind): string =>
  (/^[\p{L} ]+\p{L}/u.exec(addedTitle(kind))?.[0] ?? kind).replace(/ conv$/, '');

/** A new layer, at the end or between two; or a whole network. */
function NetworkSettings() {
  const { events, exercise, content } = useViewModel();
  const { length } = content.value.layers;
  const [chosen, setChosen] = useState<number | null>(null);
  const at = Math.min(chosen ?? length, length);
  const isFull = length >= MOST_LAYERS;
  const places = Array.from({ length }, (_, i) => ({
    value: String(i),
    label: i === 0 ? 'at the start' : `after layer ${i}`,
  }));
  return (
    <div class="net-added row wrap tight">
      <fieldset title={isFull ? `A network has at most ${MOST_LAYERS} layers.` : undefined}>
        <legend>
          Add<span class="visually-hidden"> a layer</span>
        </legend>
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
            label={`Add ${addedTitle(layer)}`}
            disabled={exercise.value || isFull}
            onClick={() => events.onNetwork({ kind: 'add', layer, at })}
          >
            {shortTitle(layer)}
          </Button>
        ))}
      </fieldset>
      {!exercise.value && (
        <Select
          label="network to begin with"
          quiet
          placeholder="Presets"
          options={NETWORKS.map(({ title }) => ({ value: title, label: title }))}
          value=""
          onChange={(title) => events.onLink(NETWORKS.find((each) => each.title === title)?.link ?? '')}
        />
      )}
    </div>
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

/** Closes the cone forward, layer by layer, then opens it backward. */
function NetworkPlayer({ wanted, onState }: ViewProps) {
  const { net: current, step, cone } = useNet(wanted);
  const net = current.value;
  if (!net) return null;
  return (
    <Scrubber
      label="steps of the network"
      value={step.value?.t ?? 0}
      total={netStepCount(net)}
      row={net.layers.length}
      sentence={netStepSentence(net, step.value, cone.value)}
      onChange={(t) => onState({ t })}
    />
  );
}

/** What the names in a sum of a layer are in the network. */
function namesOf({ layers, tensors }: Net, i: number): string {
  const [layer, x, y] = [layers[i], tensors[i], tensors[i + 1]];
  if (layer && x && y && isTransposed(layer.kind)) {
    return `As the dx of a convolution with this w: its dy is ${x.name} and its dx ${y.name}; its x is d${y.name} and its y d${x.name}.`;
  }
  return layer && x && y && y.name !== 'y'
    ? `In layer ${layer.number} alone, ${i > 0 ? `x is ${x.name}, ` : ''}y is ${y.name} and dy is d${y.name}.`
    : '';
}

/** The pointed cell in one or two lines; without one, what the view shows. */
function AboutNetwork({ wanted, onState, renderSum }: ViewProps & AboutProps) {
  const { net: current, hovered, selected } = useNet(wanted);
  const isUnaided = useViewModel().noHintYet.value;
  const [net, place] = [current.value, selected.value];
  const onCell = useCallback(
    (layer: number, cell: Cell) => {
      const now = current.peek();
      const at = now && placeBeside(now, layer, cell);
      if (now && at) onState({ cell: placeText(now, at) });
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
