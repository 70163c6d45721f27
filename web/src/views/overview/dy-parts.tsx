import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { cellAt, positionOf } from '../../geometry/grid';
import type { ViewState } from '../../look/look';
import type { Content } from '../../protocol/messages';
import type { Cell, Geometry, Tensor } from '../../protocol/problem';
import { given, wordOf } from '../../sources/loss';
import { scaleEnd } from '../../ui/color-scale';
import { Checkbox, Segmented } from '../../ui/controls/Choice';
import { type Spot, sized } from '../../ui/grid/grid-data';
import { cancelPaint, type PaintJob, paintLater, photoPixels, valuePixels } from '../../ui/grid/pixels';
import { useTheme } from '../../ui/theme';
import { GridPanel } from '../shared/GridPanel';
import { cellOfSpot, gridData, photoOf, planeOf } from '../shared/plane';
import type { TensorPanelProps } from '../shared/TensorPanel';
import { useDerived, useGeometry, usePlane, useScale, useViewModel, type ViewProps } from '../shared/view-model';
import './dy.css';

/** Cells within `reach` rows and columns are painted together. */
interface Brush {
  readonly value: number;
  readonly reach: number;
}

/** The first is the default: −1 shows on a dy of ones as well as of zeros. */
export const PAINT_VALUES = [-1, 1, 0] as const;
export const BRUSH_REACHES = [0, 1, 4] as const;

export const brushOf = ({ value, reach }: ViewState): Brush => ({
  value: PAINT_VALUES.find((entry) => entry === value) ?? PAINT_VALUES[0],
  reach: BRUSH_REACHES.find((entry) => entry === reach) ?? BRUSH_REACHES[0],
});

interface Stroke {
  readonly number: number;
  readonly painted: Set<number>;
  /** Last cell under the pointer. */
  last: Cell | null;
}

interface BrushTask {
  readonly brush: Brush;
  /** The cells of dy on the line from one cell to another (inclusive), within the brush's reach. */
  readonly between: (from: Cell, to: Cell, reach: number) => readonly number[];
  readonly cellOfSpot: (spot: Spot) => Cell | null;
  readonly onPaint: (indices: readonly number[], gesture: string) => void;
}

/**
 * Painting with the pointer pressed. A stroke is one undo step. The returned functions are stable, so that a stroke
 * re-renders only the painted cells.
 */
function useBrush(task: BrushTask) {
  const latest = useRef(task);
  latest.current = task;
  const strokes = useRef(0);
  const stroke = useRef<Stroke | null>(null);

  return useMemo(() => {
    const newStroke = (): Stroke => ({ number: ++strokes.current, painted: new Set(), last: null });

    const paint = (cell: Cell) => {
      const { brush, between, onPaint } = latest.current;
      const { number, painted, last } = stroke.current ?? newStroke();
      if (stroke.current) stroke.current.last = cell;
      const cells = between(last ?? cell, cell, brush.reach).filter((index) => !painted.has(index));
      if (cells.length === 0) return;
      for (const index of cells) painted.add(index);
      onPaint(cells, `paint dy ${number}`);
    };

    const paintAt = (event: PointerEvent) => {
      const element = document.elementFromPoint(event.clientX, event.clientY);
      const drawn = element?.closest<HTMLElement>('.number-grid [role="gridcell"]');
      const inside = drawn && event.currentTarget instanceof Element && event.currentTarget.contains(drawn);
      const spot = inside ? { row: Number(drawn.dataset.row), col: Number(drawn.dataset.col) } : null;
      const cell = spot && latest.current.cellOfSpot(spot);
      if (cell) paint(cell);
    };

    return {
      /** A click, a tap or Space. */
      dab: paint,
      /** A map reports the cell under the pointer. */
      onHover: (cell: Cell | null) => {
        if (cell && stroke.current) paint(cell);
      },
      handlers: {
        pointerdown(event: PointerEvent) {
          if (event.button !== 0) return;
          stroke.current = newStroke();
          paintAt(event);
        },
        pointermove(event: PointerEvent) {
          // The button may have been released outside the browser window.
          if (event.buttons === 0) stroke.current = null;
          if (stroke.current) paintAt(event);
        },
        pointerup() {
          stroke.current = null;
        },
        pointercancel() {
          stroke.current = null;
        },
      },
    };
  }, []);
}

/** What the settings of dy change in the picture. */
export interface DyPicture {
  /** w and dw in the same colors. */
  readonly tensors: { readonly w: Tensor; readonly dw: Tensor } | undefined;
  /** Shown in place of x. */
  readonly target: Float32Array | null;
  /** dx is drawn over the photo x. */
  readonly overlay: boolean;
}

export function pictureOf({ tensors, loss, photo }: Content, state: ViewState): DyPicture {
  const { w, dw, y } = tensors;
  const { target } = loss ?? {};
  return {
    tensors: state.same === true && w && dw ? inTheSameColors(w, dw) : undefined,
    target: state.target === true && target && y?.data.length === target.length ? asHidden(target, y) : null,
    overlay: state.overlay === true && photo,
  };
}

function inTheSameColors(w: Tensor, dw: Tensor): { readonly w: Tensor; readonly dw: Tensor } {
  const stats = w.stats.max_abs > dw.stats.max_abs ? w.stats : dw.stats;
  return { w: { ...w, stats }, dw: { ...dw, stats } };
}

/** Hides the values of the target that are hidden in y: the target may be a copy of y. */
function asHidden(target: Float32Array, y: Tensor) {
  if (!y.data.some(Number.isNaN)) return target;
  return target.map((value, index) => (Number.isNaN(y.data[index]) ? Number.NaN : value));
}

type Acts = TensorPanelProps['acts'];

interface DyActsProps {
  /** The element that contains the panel of dy. */
  readonly root: RefObject<HTMLDivElement | null>;
  readonly wanted: ViewState;
  /** Sets what the cells of dy do instead of what they do elsewhere. */
  readonly onActs: (acts: Acts) => void;
}

/** What the pointer does to dy, by its source. Shows nothing. */
export function DyActs(props: DyActsProps) {
  const word = wordOf(useViewModel().loss.value);
  if (props.wanted.paint !== true) return null;
  if (word === 'one_hot') return <DyMover {...props} />;
  return word === 'values' ? <DyBrush {...props} /> : null;
}

/** Painting with the pointer pressed, or by a click. */
function DyBrush({ root, wanted, onActs }: DyActsProps) {
  const g = useGeometry();
  const { focus, events } = useViewModel();
  const brush = brushOf(wanted);
  const { dab, onHover, handlers } = useBrush({
    brush,
    between: (from, to, reach) => cellsBetween(g, from, to, reach),
    cellOfSpot: (spot) => cellOfSpot(g, planeOf(g, 'dy', focus.peek()), spot),
    onPaint: (indices, gesture) => events.onPaint(indices, brush.value, g, gesture),
  });
  useLayoutEffect(() => {
    const element = root.current;
    if (!element) return;
    onActs({
      onPick: dab,
      onHover(cell, isFocus) {
        onHover(cell);
        events.onHover(cell, isFocus);
      },
    });
    element.classList.add('dy-canvas');
    const listeners = Object.entries(handlers);
    for (const [name, handle] of listeners) element.addEventListener(name, handle as EventListener);
    return () => {
      onActs(undefined);
      element.classList.remove('dy-canvas');
      for (const [name, handle] of listeners) element.removeEventListener(name, handle as EventListener);
    };
  }, [root, onActs, dab, onHover, handlers, events]);
  return null;
}

/** A click on a cell of dy moves the single 1 there. */
function DyMover({ onActs }: Pick<DyActsProps, 'onActs'>) {
  const g = useGeometry();
  const { events } = useViewModel();
  useLayoutEffect(() => {
    onActs({ onPick: ({ index }) => events.onLoss(given({ kind: 'one_hot', index }), g) });
    return () => onActs(undefined);
  }, [onActs, events, g]);
  return null;
}

/** The cells within reach of the straight line between two cells of a plane: a fast pointer skips some. */
function cellsBetween(g: Geometry, from: Cell, to: Cell, reach: number) {
  const [start, { row, col, ...plane }] = [positionOf(g, from), positionOf(g, to)];
  const steps = Math.max(Math.abs(row - start.row), Math.abs(col - start.col), 1);
  const indices = new Set<number>();
  for (let step = 0; step <= steps; step += 1) {
    const at = (a: number, b: number) => Math.round(a + ((b - a) * step) / steps);
    const [middle, center] = [at(start.row, row), at(start.col, col)];
    for (let r = middle - reach; r <= middle + reach; r += 1) {
      for (let c = center - reach; c <= center + reach; c += 1) {
        const cell = cellAt(g, 'dy', { ...plane, row: r, col: c });
        if (cell) indices.add(cell.index);
      }
    }
  }
  return [...indices];
}

const BRUSH_LABELS: Readonly<Record<(typeof BRUSH_REACHES)[number], string>> = { 0: '1 cell', 1: '3 × 3', 4: '9 × 9' };

/** The settings of the Overview in the menu of dy. */
export function DySettings({ wanted, onState }: Pick<ViewProps, 'wanted' | 'onState'>) {
  const { content, loss } = useViewModel();
  const word = wordOf(loss.value);
  const brush = brushOf(wanted);
  const box = (label: string, name: string) => (
    <Checkbox label={label} checked={wanted[name] === true} onChange={(on) => onState({ [name]: on || '' })} />
  );
  return (
    <div class="dy-menu__view grid tight">
      {word === 'one_hot' && box('Click a cell of dy to move the 1', 'paint')}
      {word === 'values' && box('Paint', 'paint')}
      {word === 'values' && wanted.paint === true && (
        <div class="dy-menu__row row wrap">
          <Segmented
            label="paint with"
            quiet
            options={PAINT_VALUES.map((value) => ({ value, label: value < 0 ? '−1' : String(value) }))}
            value={brush.value}
            onChange={(value) => onState({ value })}
          />
          <Segmented
            label="brush"
            quiet
            options={BRUSH_REACHES.map((value) => ({ value, label: BRUSH_LABELS[value] }))}
            value={brush.reach}
            onChange={(reach) => onState({ reach })}
          />
        </div>
      )}
      {content.value.loss?.target && box('show the target in place of x', 'target')}
      {content.value.photo && box('dx over x', 'overlay')}
      {box('same colors for w and dw', 'same')}
    </div>
  );
}

/** The plane of the target that dy shows, in the colors of y and in the place of x. */
export function Target({ target }: { target: Float32Array }) {
  const { content, layout } = useViewModel();
  const maxAbs = useDerived(() => scaleEnd(content.value.tensors.y?.stats), [content]).value;
  const plane = usePlane('y');
  const data = useMemo(() => gridData(plane, target), [plane, target]);
  const { slots, cell } = layout.value;
  return (
    <GridPanel
      tensor="y"
      title="target"
      subtitle="of y"
      label="target"
      data={data}
      scale={useScale(maxAbs)}
      fit={cell.y}
      box={slots.x}
    />
  );
}

const EMPTY = new Float32Array(0);

/**
 * dx blended over the photo x. The color of 0 is that of the page, so that blending (multiply, or screen in the dark theme)
 * leaves the photo unchanged where dx is 0.
 */
export function OverlayMap() {
  const g = useGeometry();
  const { content, focus, layout, events } = useViewModel();
  const x = useDerived(() => content.value.tensors.x, [content]).value;
  const dx = useDerived(() => content.value.tensors.dx, [content]).value;
  const { n, c } = focus.value;
  const canvas = useRef<HTMLCanvasElement>(null);
  const tone = useTheme();
  const plane = usePlane('dx');
  const values = useMemo(() => gridData(plane, dx?.data ?? EMPTY), [plane, dx]);
  const photo = useMemo(() => photoOf(g, n, x?.data ?? EMPTY), [g, n, x]);
  const scale = useScale(scaleEnd(dx?.stats));

  useEffect(() => {
    const target = canvas.current;
    if (!target) return;
    const below = new OffscreenCanvas(1, 1);
    const above = new OffscreenCanvas(1, 1);
    function* compose(context: CanvasRenderingContext2D): PaintJob {
      yield* photoPixels(below, photo);
      yield* valuePixels(above, values, scale, tone);
      context.imageSmoothingEnabled = false;
      context.globalCompositeOperation = 'copy';
      context.drawImage(below, 0, 0);
      context.globalCompositeOperation = tone === 'dark' ? 'screen' : 'multiply';
      context.drawImage(above, 0, 0);
    }
    const context = target.getContext('2d');
    if (context) paintLater(target, compose(context));
    return () => cancelPaint(target);
  }, [values, photo, tone, scale]);
  if (!x || !dx) return null;

  const size = layout.value.cell.x;
  const cellUnder = (event: { readonly offsetX: number; readonly offsetY: number }) =>
    cellOfSpot(g, plane, { row: Math.floor(event.offsetY / size), col: Math.floor(event.offsetX / size) });
  return (
    <GridPanel
      tensor="dx"
      subtitle="over x"
      label="dx over x"
      data={values}
      scale={scale}
      fit={size}
      indent={g.padding.left * size}
      box={layout.value.slots.dx}
      picture={
        <canvas
          ref={canvas}
          class="dy-overlay"
          role="img"
          aria-label={`dx, channel ${c}, over the photo x`}
          width={g.w}
          height={g.h}
          style={sized(g.w * size, g.h * size)}
          onPointerMove={(event) => events.onHover(cellUnder(event))}
          onPointerLeave={() => events.onHover(null)}
          onClick={(event) => {
            const cell = cellUnder(event);
            if (cell) events.onPick(cell);
          }}
        />
      }
    />
  );
}
