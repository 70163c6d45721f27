// biome-ignore-all lint/a11y/useSemanticElements: a table cannot be laid out by cell size nor leave out invisible cells; the ARIA grid pattern has the same meaning
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus is on the cells, rows are not focusable in an ARIA grid
import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatExact, MIN_TEXT_CELL } from '../numbers';
import { useTheme } from '../theme';
import {
  ariaIndex,
  type GridEvents,
  gridAttributes,
  isEditable,
  isSameSpot,
  onGridKey,
  type Spot,
  sized,
  spokenText,
  spotKind,
  type Viewport,
  valueAt,
} from './grid-data';
import { canvasTextsOf, drawHeat, drawMap, type HeatImage, mapsShown, repaints } from './heat-canvas';
import { Lens, useMapGestures, ZoomButtons } from './map-gestures';
import { MarkLayer } from './marks';
import { type GridProps, useCellEdit } from './NumberGrid';
import { drawNotches } from './notches';
import { cancelPaint, type PaintJob, type PhotoPlanes, paintMap, photoPixels, valuePixels } from './pixels';
import { type Fitted, fitViewport, isPart, reveal } from './viewport';
import './heat-grid.css';

/** Room for a map in CSS pixels. */
export interface MapRoom {
  readonly width: number;
  readonly height: number;
  /** Least cell size: a grid that does not fit with it is shown in part and can be panned. */
  readonly least: number;
}

export interface MapOptions {
  /** Draws these three channels as a photo instead of one channel as a map. */
  readonly photo?: PhotoPlanes | undefined;
  /** Scrolls to this cell when it changes. */
  readonly scrollTo?: ReadonlySignal<Spot | null> | undefined;
  readonly overview?: ((map: MapView) => ComponentChildren) | undefined;
}

interface HeatGridProps extends GridProps, MapOptions {
  readonly room: MapRoom;
}

/** Margin, in cells, around the cell that is scrolled to. */
const AROUND = 4;

export interface MapView {
  readonly image: HeatImage;
  readonly view: Viewport;
  readonly fitted: Fitted;
  readonly onChange: (view: Viewport) => void;
}

/** Values on a canvas. One real gridcell follows the keyboard: a million cells have the keys and speech of a few. */
export function HeatGrid(props: HeatGridProps) {
  const { label, data, scale, room, marks, photo, scrollTo: look, onHover, onMove, onPick, onEdit, nameOf } = props;
  const theme = useTheme();
  const canvas = useRef<HTMLCanvasElement>(null);
  const cursor = useRef<HTMLDivElement>(null);
  const buffers = useRef<[OffscreenCanvas, OffscreenCanvas] | null>(null);
  const [active, setActive] = useState<Spot>({ row: 0, col: 0 });
  const [hovered, setHovered] = useState<Spot | null>(null);
  const { begin, box } = useCellEdit(label, data, onEdit, () => cursor.current?.focus());
  const [, render] = useState<HeatImage | null>(null);
  const newest = useRef<HeatImage | null>(null);
  const drawn = useRef<{ readonly image: HeatImage; readonly view: Viewport } | null>(null);

  const { width, height, least } = room;
  const fitted = useMemo(() => fitViewport(data, width, height, least), [data, width, height, least]);
  const hover = (cell: Spot | null) => {
    if (isSameSpot(cell, hovered)) return;
    setHovered(cell);
    onHover(cell);
  };
  const pick = (cell: Spot) => {
    setActive(cell);
    onPick(cell);
  };
  const { view, setView, handlers } = useMapGestures({ element: canvas, data, fitted, onHover: hover, onPick: pick });

  const draw = () => {
    const image = newest.current;
    if (!canvas.current || !image || (drawn.current?.image === image && drawn.current.view === view)) return;
    drawn.current = { image, view };
    drawHeat(canvas.current, image, view);
    drawNotches(canvas.current, image, view);
    repaints.set(canvas.current, {
      paint(onto, ratio) {
        drawMap(onto, image, view, ratio);
        drawNotches(onto, image, view);
      },
      texts: () => canvasTextsOf(image, view),
    });
  };
  // Only an overview and a lens are rendered with the image.
  const isShared = Boolean(props.overview) || hovered !== null;
  const now = useRef({ view, setView, draw, isShared });
  now.current = { view, setView, draw, isShared };

  // null followed by the same cell is not a change.
  const lastTarget = useRef<Spot | null>(null);
  useEffect(() => {
    // A new shape or size has reset the view.
    lastTarget.current = null;
    return look?.subscribe((spot) => {
      if (!spot || isSameSpot(spot, lastTarget.current)) return;
      lastTarget.current = spot;
      const { view: seen, setView: show } = now.current;
      const near = (by: number) => ({ row: spot.row + by, col: spot.col + by });
      show(reveal(reveal(seen, fitted, near(AROUND)), fitted, near(-AROUND)));
    });
  }, [look, fitted]);

  const { maxAbs, ramp, transfer } = scale;
  useLayoutEffect(() => {
    const colors = { maxAbs, ramp, transfer };
    // Double buffering: a new canvas each time costs more than the pixels of a small map.
    const [shown, pixels] = buffers.current ?? [new OffscreenCanvas(1, 1), new OffscreenCanvas(1, 1)];
    function* show(): PaintJob {
      // Of a matrix that is not stored, only visible entries are computed, at each drawing.
      if (!data.indexOf) yield* photo ? photoPixels(pixels, photo) : valuePixels(pixels, data, colors, theme);
      buffers.current = [pixels, shown];
      newest.current = { data, scale: colors, theme, pixels };
      now.current.draw();
      if (now.current.isShared) render(newest.current);
    }
    if (data.indexOf) return void show().next();
    paintMap(buffers, data.rows * data.cols, show());
    return () => cancelPaint(buffers);
  }, [data, maxAbs, ramp, transfer, theme, photo]);

  useLayoutEffect(draw);
  useLayoutEffect(() => {
    mapsShown.value += 1;
    return () => {
      mapsShown.value -= 1;
    };
  }, []);

  const place = ({ row, col }: Spot) => ({ x: (col - view.col) * view.cell, y: (row - view.row) * view.cell });
  const keyboard: GridEvents = {
    ...props,
    onMove: (cell) => {
      takeFocus.current = !isSameSpot(cell, active);
      setActive(cell);
      setView(reveal(view, fitted, cell));
      onMove(cell);
    },
  };

  // After a move the cell is a new element (its key), so that it is announced; it takes the focus from the old one.
  const takeFocus = useRef(false);
  useLayoutEffect(() => {
    if (takeFocus.current) cursor.current?.focus({ preventScroll: true });
    takeFocus.current = false;
  });

  const kind = spotKind(data, active);
  const name = nameOf?.(active);
  const exact = formatExact(valueAt(data, active));
  // Clamped to the visible part: a browser that scrolls to the focus would otherwise scroll the page.
  const within = (at: number, size: number) => Math.max(0, Math.min(at, size - view.cell));
  const at = { x: within(place(active).x, view.width), y: within(place(active).y, view.height) };
  const cursorSize = Math.max(view.cell, 4);
  const image = newest.current;
  const lens = hovered && image && view.cell < MIN_TEXT_CELL ? hovered : null;
  return (
    <div
      class={isPart(view, fitted) ? 'grid-box heat heat--zoomed' : 'grid-box heat'}
      style={sized(view.width, view.height)}
    >
      <canvas
        ref={canvas}
        class="heat__map"
        style={sized(view.width, view.height)}
        {...handlers}
        onDblClick={() => {
          if (hovered && isEditable(data, hovered, props)) begin({ cell: hovered, typed: null });
        }}
      />
      <div
        class="heat__grid cover"
        role="grid"
        {...gridAttributes(label, data, props)}
        onKeyDown={(event) => onGridKey(event, data, active, keyboard, begin)}
        onFocusIn={() => {
          setView(reveal(view, fitted, active));
          onHover(active, true);
        }}
      >
        <div role="row" aria-rowindex={ariaIndex(active.row, data.rows)}>
          <div
            ref={cursor}
            key={`${active.row},${active.col}`}
            role="gridcell"
            tabIndex={0}
            class="heat__cursor"
            style={{ transform: `translate(${at.x}px, ${at.y}px)`, ...sized(cursorSize, cursorSize) }}
            aria-colindex={ariaIndex(active.col, data.cols)}
            aria-label={
              name ? spokenText(name, kind, exact) : kind === 'data' || kind === 'hidden' ? exact : `${kind} 0`
            }
            data-row={active.row}
            data-col={active.col}
            data-value={valueAt(data, active)}
          />
        </div>
      </div>
      <MarkLayer marks={marks} view={view} />
      {fitted.cell < 14 && <ZoomButtons label={label} view={view} fitted={fitted} onChange={setView} />}
      {image && props.overview?.({ image, view, fitted, onChange: setView })}
      {lens && image && (
        <Lens image={image} cell={lens} x={place(lens).x + view.cell / 2} y={place(lens).y} mapWidth={view.width} />
      )}
      {box((cell) => ({ ...place(cell), size: view.cell }))}
    </div>
  );
}
