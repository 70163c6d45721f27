import { useMemo } from 'preact/hooks';
import type { Tensor } from '../../protocol/problem';
import { DY_SOURCES, dyEntry, painted } from '../../sources/dy-sources';
import { Button } from '../../ui/controls/Button';
import { Checkbox, Segmented } from '../../ui/controls/Choice';
import { ForwardSigns, Tensors } from '../kit/stage/Tensors';
import type { View, ViewProps } from '../kit/view';
import { useFrameOverlay, useGeometry, useViewModel, ViewModelProvider } from '../kit/view-model';
import { brushOf, REACHES, VALUES } from './brush';
import { DyPanel } from './DyPanel';
import { OverlayMap } from './OverlayMap';
import { Target } from './Target';
import './dy.css';

/** All tensors, with a dy that can be painted. dx is drawn over a photo x; a loss has its target in the place of x. */
function DyView({ wanted, dySource }: ViewProps) {
  const { content } = useViewModel();
  const { w, dw, y } = content.value.tensors;
  const same = wanted.same === true;
  const frameModel = useFrameOverlay({
    tensors: useMemo(() => (same && w && dw ? inTheSameColors(w, dw) : {}), [same, w, dw]),
  });
  const target = dyEntry(dySource).loss?.target(dySource) ?? null;
  const measured = target && y && target.length === y.data.length ? target : null;
  const { photo } = content.value;
  return (
    <ViewModelProvider value={frameModel}>
      {measured ? <Target target={asHidden(measured, y)} /> : <Tensors names={X} />}
      <Tensors names={photo ? FORWARD_AND_DW : WITH_DX} />
      {!measured && <ForwardSigns />}
      {photo && <OverlayMap />}
      <DyPanel source={dySource} brush={brushOf(wanted)} />
    </ViewModelProvider>
  );
}

/** Hides the values of the target that are hidden in y: the target may be a copy of y. */
function asHidden(target: Float32Array, y: Tensor | undefined): Float32Array {
  if (!y?.data.some(Number.isNaN)) return target;
  return target.map((value, index) => (Number.isNaN(y.data[index]) ? Number.NaN : value));
}

const X = ['x'] as const;
const FORWARD_AND_DW = ['w', 'b', 'y', 'dw', 'db'] as const;
const WITH_DX = [...FORWARD_AND_DW, 'dx'] as const;

function inTheSameColors(w: Tensor, dw: Tensor): { readonly w: Tensor; readonly dw: Tensor } {
  const stats = w.stats.max_abs > dw.stats.max_abs ? w.stats : dw.stats;
  return { w: { ...w, stats }, dw: { ...dw, stats } };
}

function DySettings({ dySource, wanted, onState }: ViewProps) {
  const { content, events } = useViewModel();
  return (
    <>
      <Segmented
        label="source of dy"
        quiet
        options={DY_SOURCES.map(({ kind, label, description }) => ({ value: kind, label, hint: description }))}
        value={dySource.kind}
        onChange={(kind) => {
          const source = DY_SOURCES.find((entry) => entry.kind === kind);
          const { dy } = content.peek().tensors;
          if (source && dy) events.onDy(source.make({ shape: dy.shape, dy: dy.data }), content.peek().geometry);
        }}
      />
      <Checkbox
        label="same colors for w and dw"
        checked={wanted.same === true}
        onChange={(on) => onState({ same: on })}
      />
    </>
  );
}

/** Settings of the chosen source, in the place of a player. */
function DyPlayer(props: ViewProps) {
  const { description, hint } = dyEntry(props.dySource);
  return (
    <div>
      <div class="dy-settings">
        <SourceSettings {...props} />
      </div>
      <p class="player-words">
        {description} {hint}
      </p>
    </div>
  );
}

function SourceSettings({ dySource: source, wanted, onState }: ViewProps) {
  const { content, events } = useViewModel();
  const { loss, another } = dyEntry(source);
  const next = another?.(source);
  return (
    <>
      {next && <Button onClick={() => events.onDy(next, content.peek().geometry)}>Shuffle</Button>}
      {loss && (
        <>
          <Button
            onClick={() => {
              const { y } = content.peek().tensors;
              if (y) events.onDy(loss.toward(y.data.slice()), content.peek().geometry);
            }}
          >
            Use y as the target
          </Button>
          <Button onClick={() => events.onDy(loss.toward(null), content.peek().geometry)}>Target 0</Button>
        </>
      )}
      {source.kind === 'values' && <BrushSettings wanted={wanted} onState={onState} />}
    </>
  );
}

function BrushSettings({ wanted, onState }: Pick<ViewProps, 'wanted' | 'onState'>) {
  const { content, events } = useViewModel();
  const brush = brushOf(wanted);
  const text = String as (value: number) => string;
  return (
    <>
      <Segmented
        label="paint with"
        quiet
        options={VALUES.map((value) => ({ value: text(value), label: value < 0 ? '−1' : text(value) }))}
        value={text(brush.value)}
        onChange={(value) => onState({ value: Number(value) })}
      />
      <Segmented
        label="brush"
        quiet
        options={REACHES.map((reach) => ({ value: text(reach), label: BRUSH_LABELS[reach] }))}
        value={text(brush.reach)}
        onChange={(reach) => onState({ reach: Number(reach) })}
      />
      <Button
        onClick={() => {
          const { dy } = content.peek().tensors;
          if (dy) events.onDy(painted(dy.shape, new Float32Array(dy.data.length)), content.peek().geometry);
        }}
      >
        Clear
      </Button>
    </>
  );
}

const BRUSH_LABELS: Readonly<Record<(typeof REACHES)[number], string>> = { 0: '1 cell', 1: '3 × 3', 4: '9 × 9' };

function AboutDy({ dySource }: ViewProps) {
  const g = useGeometry();
  return (
    <>
      <p>{dyEntry(dySource).description}</p>
      <p>
        dw has the shape of w, {g.kh} × {g.kw}. A small step of w against dw lowers the loss fastest.
      </p>
    </>
  );
}

const LOSSES = {
  mse: 'L = Σ (y − target)² / 2N',
  log_cosh: 'L = Σ log cosh(y − target) / N',
  given: 'L = Σ y · dy',
} as const;

export const dyView: View = {
  sentence: 'Choose or paint dy and see how dx and dw change.',
  needs: () => [],
  formulas: ({ loss }) => [LOSSES[loss?.kind ?? 'given']],
  Component: DyView,
  Settings: DySettings,
  Player: DyPlayer,
  About: AboutDy,
};
