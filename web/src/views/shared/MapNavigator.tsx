import { useLayoutEffect, useRef } from 'preact/hooks';
import { sized } from '../../ui/grid/grid-data';
import type { MapView } from '../../ui/grid/HeatGrid';
import { canvasStrips, resize } from '../../ui/grid/pixels';
import { isPart, panBy } from '../../ui/grid/viewport';
import './overview.css';

/** Width of the strip beside a long map. */
const THICK = 34;
/** Least side of the frame, in CSS pixels. */
const THINNEST = 3;

/** A strip with all of a long matrix and a frame around the part that the map shows. Press or drag to move it. */
export function MapNavigator({
  image,
  view,
  fitted,
  onChange,
  paint,
}: MapView & {
  /** Draws the whole of a matrix that is not stored in memory, into `width` x `height` pixels. */
  paint?: ((context: CanvasRenderingContext2D, width: number, height: number) => void) | undefined;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { rows, cols } = fitted;
  const long = isPart(fitted, fitted);
  const tall = rows >= cols;
  const [width, height] = tall ? [THICK, view.height] : [view.width, THICK];
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context || !long) return;
    const ratio = window.devicePixelRatio || 1;
    resize(element, Math.round(width * ratio), Math.round(height * ratio));
    if (paint) {
      context.clearRect(0, 0, element.width, element.height);
      paint(context, element.width, element.height);
      return;
    }
    const [x, y] = [element.width / cols, element.height / rows];
    context.imageSmoothingQuality = 'high';
    for (const strip of canvasStrips(rows, cols)) {
      const [left, top, across, down] = [strip.col * x, strip.row * y, strip.cols * x, strip.rows * y];
      context.drawImage(image.pixels, strip.x, strip.y, strip.cols, strip.rows, left, top, across, down);
    }
  }, [image, long, width, height, rows, cols, paint]);
  if (!long) return null;

  const go = (event: PointerEvent & { currentTarget: HTMLCanvasElement }) => {
    const box = event.currentTarget.getBoundingClientRect();
    const row = ((event.clientY - box.top) / height) * rows - view.height / view.cell / 2;
    const col = ((event.clientX - box.left) / width) * cols - view.width / view.cell / 2;
    onChange(panBy(view, fitted, (view.col - col) * view.cell, (view.row - row) * view.cell));
  };
  const span = (seen: number, of: number, pixels: number) =>
    Math.max(Math.min(THINNEST, pixels), Math.min(1, seen / view.cell / of) * pixels);
  const style = {
    top: `${(view.row / rows) * height}px`,
    left: `${(view.col / cols) * width}px`,
    ...sized(span(view.width, cols, width), span(view.height, rows, height)),
  };
  return (
    <div class={tall ? 'overview overview--tall' : 'overview'} style={sized(width, height)}>
      <canvas
        ref={canvas}
        style={sized(width, height)}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          go(event);
        }}
        onPointerMove={(event) => {
          if (event.buttons > 0) go(event);
        }}
      />
      <span class="overview__seen" style={style} />
    </div>
  );
}
