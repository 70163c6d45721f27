import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type GridData, type Spot, sized, type Viewport } from './grid-data';
import { drawHeat, type HeatImage } from './heat-canvas';
import { type Fitted, isPart, panBy, spotAt, zoomAt } from './viewport';

/** A press that moves less than this is a click. */
const MAX_CLICK_DISTANCE = 4;

type Point = Readonly<Record<'x' | 'y', number>>;

/** Hover or a finger moves the lens, a click picks, Ctrl+wheel and pinch zoom, dragging pans a zoomed map. */
export function useMapGestures({
  element,
  data,
  fitted,
  onHover,
  onPick,
}: {
  element: RefObject<HTMLCanvasElement | null>;
  data: GridData;
  fitted: Fitted;
  onHover: (cell: Spot | null) => void;
  onPick: (cell: Spot) => void;
}) {
  const [state, setState] = useState<{ fitted: Fitted; view: Viewport }>({ fitted, view: fitted });
  // A new shape or size resets to the whole map.
  const view = state.fitted === fitted || sameFit(state.fitted, fitted) ? state.view : fitted;
  const setView = (next: Viewport) => setState({ fitted, view: next });
  const drag = useRef<(Point & { moved: boolean }) | null>(null);
  const fingers = useRef(new Map<number, Point>());

  const pointOf = (event: { clientX: number; clientY: number }): Point => {
    const box = element.current?.getBoundingClientRect();
    return { x: event.clientX - (box?.left ?? 0), y: event.clientY - (box?.top ?? 0) };
  };

  // Preact's wheel listeners are passive; preventing the page zoom of Ctrl+wheel needs an active one.
  const latest = useRef({ view, setView, pointOf });
  latest.current = { view, setView, pointOf };
  useEffect(() => {
    const target = element.current;
    if (!target) return;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const { x, y } = latest.current.pointOf(event);
      latest.current.setView(zoomAt(latest.current.view, fitted, Math.exp(-event.deltaY / 200), x, y));
    };
    target.addEventListener('wheel', onWheel, { passive: false });
    return () => target.removeEventListener('wheel', onWheel);
  }, [element, fitted]);

  const handlers = {
    onPointerDown(event: PointerEvent) {
      const point = pointOf(event);
      fingers.current.set(event.pointerId, point);
      drag.current = { ...point, moved: false };
      element.current?.setPointerCapture(event.pointerId);
    },
    onPointerMove(event: PointerEvent) {
      const point = pointOf(event);
      const before = fingers.current.get(event.pointerId);
      if (before && fingers.current.size === 2) {
        const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1];
        fingers.current.set(event.pointerId, point);
        if (!other) return;
        const factor = distance(point, other) / Math.max(1, distance(before, other));
        setView(zoomAt(view, fitted, factor, (point.x + other.x) / 2, (point.y + other.y) / 2));
        return;
      }
      if (before && drag.current && distance(point, drag.current) > MAX_CLICK_DISTANCE) drag.current.moved = true;
      if (before && drag.current?.moved && isPart(view, fitted)) {
        fingers.current.set(event.pointerId, point);
        setView(panBy(view, fitted, point.x - before.x, point.y - before.y));
        return;
      }
      onHover(spotAt(data, view, point.x, point.y));
    },
    onPointerUp(event: PointerEvent) {
      const point = pointOf(event);
      const cell = spotAt(data, view, point.x, point.y);
      const single = fingers.current.size === 1;
      fingers.current.delete(event.pointerId);
      if (cell && single && drag.current && !drag.current.moved) onPick(cell);
      if (event.pointerType === 'touch') onHover(null);
      drag.current = null;
    },
    onPointerCancel(event: PointerEvent) {
      fingers.current.delete(event.pointerId);
      drag.current = null;
      onHover(null);
    },
    onPointerLeave() {
      onHover(null);
    },
  };
  return { view, setView, handlers };
}

const sameFit = (a: Fitted, b: Fitted) =>
  (['row', 'col', 'rows', 'cols', 'cell', 'width', 'height'] as const).every((part) => a[part] === b[part]);

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);

const STEP = 2;
/** Below this width of the map, in CSS pixels, the buttons do not fit beside the usual legend. */
const ROOM_FOR_BOTH = 264;

/** Zoom without a wheel or gestures. */
export function ZoomButtons({
  label,
  view,
  fitted,
  onChange,
}: {
  label: string;
  view: Viewport;
  fitted: Fitted;
  onChange: (view: Viewport) => void;
}) {
  const zoom = (factor: number) => onChange(zoomAt(view, fitted, factor, view.width / 2, view.height / 2));
  const whole = view.cell <= fitted.cell;
  return (
    <div class={view.width < ROOM_FOR_BOTH ? 'zoom zoom--narrow' : 'zoom'}>
      <button type="button" class="zoom__button" aria-label={`zoom in on ${label}`} onClick={() => zoom(STEP)}>
        +
      </button>
      <button
        type="button"
        class="zoom__button"
        aria-label={`zoom out of ${label}`}
        aria-disabled={whole}
        onClick={() => zoom(1 / STEP)}
      >
        −
      </button>
    </div>
  );
}

const CELL = 36;
const REACH = 2;
const SIDE = CELL * (2 * REACH + 1);
const GAP = 14;

/** The cells around the pointer, large enough to read. Above the pointer, so that a finger does not cover it. */
export function Lens({
  image,
  cell,
  x,
  y,
  mapWidth,
}: {
  image: HeatImage;
  cell: Spot;
  /** Position of the cell on the map, in CSS pixels. */
  x: number;
  y: number;
  mapWidth: number;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    if (!canvas.current) return;
    const view = { row: cell.row - REACH, col: cell.col - REACH, cell: CELL, width: SIDE, height: SIDE };
    drawHeat(canvas.current, image, view);
  }, [image, cell.row, cell.col]);

  const left = Math.max(-GAP, Math.min(mapWidth - SIDE + GAP, x - SIDE / 2));
  const above = y - SIDE - GAP;
  return (
    <div
      class="lens"
      aria-hidden="true"
      style={{ transform: `translate(${left}px, ${above}px)`, ...sized(SIDE, SIDE) }}
    >
      <canvas ref={canvas} style={sized(SIDE, SIDE)} />
      <span class="lens__center" style={{ left: `${REACH * CELL}px`, top: `${REACH * CELL}px`, width: `${CELL}px` }} />
    </div>
  );
}
