import type { ViewState } from '../../look/look';
import type { Geometry, Tensor } from '../../protocol/problem';
import { DY_SOURCES, type DySource, dyEntry } from '../../sources/dy-sources';
import { painted } from '../../sources/upstream';
import { Button } from '../../ui/controls/Button';
import { Checkbox, Segmented } from '../../ui/controls/Choice';
import { TensorGrid } from '../../ui/grid/TensorGrid';
import { layoutBoard } from '../kit/board-layout';
import { cellSize } from '../kit/cell-size';
import { gridData, planeOf } from '../kit/plane';
import type { Scene, SceneEvents } from '../kit/scene';
import { TensorPanel } from '../kit/TensorPanel';
import type { View, ViewProps } from '../kit/view';
import { DyPanel } from './DyPanel';
import { OverlayMap } from './OverlayMap';
import type { Brush } from './use-brush';
import './dy.css';

const READABLE = 24;
const NARROW = 560;
/** Room for the arrow, its gaps and two frames, in CSS pixels. */
const SIGN = 84;

const VALUES = [1, -1, 0] as const;
const REACHES = [0, 1, 4] as const;

const brushOf = ({ value, reach }: ViewState): Brush => ({
  value: VALUES.find((entry) => entry === value) ?? VALUES[0],
  reach: REACHES.find((entry) => entry === reach) ?? REACHES[0],
});

function DyView({ scene, wanted, dySource, events, onState, width }: ViewProps) {
  const { geometry: g, tensors } = scene;
  const { x, w, y, dy, dx, dw } = tensors;
  if (!x || !w || !y || !dy || !dx || !dw) return null;
  const chosen = dyEntry(dySource);
  const size = sideOf(g, width);
  const picture: Scene = {
    ...scene,
    layout: { ...layoutBoard(g, width, 0), arrangement: 'stack', cell: { x: size, w: 36, y: size, b: size } },
  };
  return (
    <div class="steps">
      <Segmented
        label="where dy comes from"
        quiet
        options={DY_SOURCES.map(({ kind, label, sentence }) => ({ value: kind, label, hint: sentence }))}
        value={dySource.kind}
        onChange={(kind) => {
          const source = DY_SOURCES.find((entry) => entry.kind === kind);
          if (source) events.onDy(source.make({ shape: dy.shape, dy: dy.data }));
        }}
      />
      <p class="steps__idea">
        {chosen.sentence} {chosen.hands}
      </p>
      <Settings source={dySource} wanted={wanted} onState={onState} dy={dy} y={y} events={events} />
      <div class="steps__row">
        <DyPanel scene={picture} dy={dy} source={dySource} brush={brushOf(wanted)} events={events} />
        {chosen.loss && <Target scene={picture} target={chosen.loss.target(dySource)} y={y} size={size} />}
        <div class="dy-view__result">
          <span class="row__sign" aria-hidden="true">
            →
          </span>
          {scene.photo ? (
            <OverlayMap scene={picture} x={x} dx={dx} size={size} events={events} />
          ) : (
            <TensorPanel tensor="dx" scene={picture} events={events} place="dy view" />
          )}
        </div>
      </div>
      <Kernels scene={picture} w={w} dw={dw} same={wanted.same === true} events={events} onState={onState} />
    </div>
  );
}

/** Readable cells as large as fits; maps side by side, on a phone one below the other. */
function sideOf(g: Geometry, width: number): number {
  const readable = cellSize([g.ow, g.w], width);
  if (readable >= READABLE) return readable;
  const room = width - SIGN;
  return width < NARROW ? room / Math.max(g.ow, g.w) : room / (g.ow + g.w);
}

interface SettingsProps {
  readonly source: DySource;
  readonly wanted: ViewState;
  readonly onState: ViewProps['onState'];
  readonly dy: Tensor;
  readonly y: Tensor;
  readonly events: SceneEvents;
}

/** What can be set about the source that is chosen. */
function Settings({ source, wanted, onState, dy, y, events }: SettingsProps) {
  const { loss, another } = dyEntry(source);
  const next = another?.(source);
  return (
    <div class="dy-view__settings">
      {next && <Button onClick={() => events.onDy(next)}>Shuffle</Button>}
      {loss && (
        <>
          <Button onClick={() => events.onDy(loss.toward(y.data.slice()))}>Take y as the target</Button>
          <Button onClick={() => events.onDy(loss.toward(null))}>Target 0</Button>
        </>
      )}
      {source.kind === 'values' && <BrushSettings wanted={wanted} onState={onState} dy={dy} events={events} />}
    </div>
  );
}

function BrushSettings({ wanted, onState, dy, events }: Omit<SettingsProps, 'source' | 'y'>) {
  const brush = brushOf(wanted);
  const text = String as (value: number) => string;
  return (
    <>
      <Segmented
        label="paint with"
        options={VALUES.map((value) => ({ value: text(value), label: value < 0 ? '−1' : text(value) }))}
        value={text(brush.value)}
        onChange={(value) => onState({ value: Number(value) })}
      />
      <Segmented
        label="brush"
        options={REACHES.map((reach) => ({ value: text(reach), label: BRUSH_LABELS[reach] }))}
        value={text(brush.reach)}
        onChange={(reach) => onState({ reach: Number(reach) })}
      />
      <Button onClick={() => events.onDy(painted(dy.shape, new Float32Array(dy.data.length)))}>Clear</Button>
    </>
  );
}

const BRUSH_LABELS: Readonly<Record<(typeof REACHES)[number], string>> = { 0: '1 cell', 1: '3 × 3', 4: '9 × 9' };

interface TargetProps {
  readonly scene: Scene;
  readonly target: Float32Array | null;
  readonly y: Tensor;
  readonly size: number;
}

/** The plane of the target that dy shows, in the colours of y; a target of 0 needs no picture. */
function Target({ scene, target, y, size }: TargetProps) {
  if (!target || target.length !== y.data.length) return null;
  const plane = planeOf(scene.geometry, 'y', scene.focus);
  return (
    <figure class="dy-view__target">
      <figcaption>target of y</figcaption>
      <TensorGrid
        label="target, dy view"
        data={gridData(plane, target)}
        scale={{ maxAbs: y.stats.max_abs, ramp: 'signed', transfer: scene.transfer }}
        size={size}
        marks={[]}
        onHover={() => undefined}
        onMove={() => undefined}
        onPick={() => undefined}
      />
    </figure>
  );
}

interface KernelsProps {
  readonly scene: Scene;
  readonly w: Tensor;
  readonly dw: Tensor;
  readonly same: boolean;
  readonly events: SceneEvents;
  readonly onState: ViewProps['onState'];
}

/** dw drawn as the kernel that it is, beside w; on request in the same colours. */
function Kernels({ scene, w, dw, same, events, onState }: KernelsProps) {
  const larger = w.stats.max_abs > dw.stats.max_abs ? w.stats : dw.stats;
  const shared = { ...scene.tensors, w: { ...w, stats: larger }, dw: { ...dw, stats: larger } };
  const picture = same ? { ...scene, tensors: shared } : scene;
  return (
    <>
      <div class="dy-view__settings">
        <p class="steps__idea">dw has the shape of w. Moving w a little against it lowers the loss fastest.</p>
        <Checkbox label="w and dw in the same colours" checked={same} onChange={(on) => onState({ same: on })} />
      </div>
      <div class="steps__row">
        <TensorPanel tensor="w" scene={picture} events={events} place="dy view" />
        <TensorPanel tensor="dw" scene={picture} events={events} place="dy view" />
      </div>
    </>
  );
}

export const dyView: View = { needs: (_g: Geometry) => ({}), Component: DyView };
