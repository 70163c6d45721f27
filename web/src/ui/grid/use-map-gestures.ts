import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { GridData, Spot } from './grid-data';
import type { Viewport } from './heat-canvas';
import { cellAt, type Fitted, isPart, panBy, zoomAt } from './viewport';

interface MapGestures {
  readonly element: RefObject<HTMLCanvasElement | null>;
  readonly data: GridData;
  readonly fitted: Fitted;
  readonly onHover: (cell: Spot | null) => void;
  readonly onPick: (cell: Spot) => void;
}

interface Drag {
  readonly x: number;
  readonly y: number;
  moved: boolean;
}

/** A press that moves less than this is a click. */
const MAX_CLICK_DISTANCE = 4;

interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Pointer and wheel on a map: hover shows the lens, a click picks, Ctrl+wheel and pinch zoom, dragging pans a zoomed map (on
 * a map that fits, a finger moves the lens). The plain wheel scrolls the page.
 */
export function useMapGestures({ element, data, fitted, onHover, onPick }: MapGestures) {
  const [state, setState] = useState<{ fitted: Fitted; view: Viewport }>({ fitted, view: fitted });
  // A new shape or size resets to the whole map.
  const view = state.fitted === fitted || sameFit(state.fitted, fitted) ? state.view : fitted;
  const setView = (next: Viewport) => setState({ fitted, view: next });
  const drag = useRef<Drag | null>(null);
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
      onHover(cellAt(data, view, point.x, point.y));
    },
    onPointerUp(event: PointerEvent) {
      const point = pointOf(event);
      const cell = cellAt(data, view, point.x, point.y);
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

function sameFit(a: Fitted, b: Fitted): boolean {
  const sameCells = a.row === b.row && a.col === b.col && a.rows === b.rows && a.cols === b.cols;
  return sameCells && a.cell === b.cell && a.width === b.width && a.height === b.height;
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
