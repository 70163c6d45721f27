import { useLayoutEffect, useRef } from 'preact/hooks';
import type { MapView } from '../../ui/grid/HeatGrid';
import { resize, stripsOf } from '../../ui/grid/pixels';
import { isPart, panBy } from '../../ui/grid/viewport';

/** Width of the strip beside a long map. */
const THICK = 34;
/** A frame that is thinner than this is not seen. */
const THINNEST = 3;

/** All of a long matrix, squeezed into a strip, and which part the map shows. Press or drag to go there. */
export function Overview({ image, view, fitted, onChange }: MapView) {
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
    const [x, y] = [element.width / cols, element.height / rows];
    context.imageSmoothingQuality = 'high';
    for (const strip of stripsOf(rows, cols)) {
      const [left, top, across, down] = [strip.col * x, strip.row * y, strip.cols * x, strip.rows * y];
      context.drawImage(image.pixels, strip.x, strip.y, strip.cols, strip.rows, left, top, across, down);
    }
  }, [image, long, width, height, rows, cols]);
  if (!long) return null;

  const go = (event: PointerEvent & { currentTarget: HTMLCanvasElement }) => {
    const box = event.currentTarget.getBoundingClientRect();
    const row = ((event.clientY - box.top) / height) * rows - view.height / view.cell / 2;
    const col = ((event.clientX - box.left) / width) * cols - view.width / view.cell / 2;
    const [down, right] = tall ? [row - view.row, 0] : [0, col - view.col];
    onChange(panBy(view, fitted, -right * view.cell, -down * view.cell));
  };
  const seen = tall
    ? { top: (view.row / rows) * height, height: Math.max(THINNEST, (view.height / view.cell / rows) * height) }
    : { left: (view.col / cols) * width, width: Math.max(THINNEST, (view.width / view.cell / cols) * width) };
  const style = Object.fromEntries(Object.entries(seen).map(([side, pixels]) => [side, `${pixels}px`]));
  return (
    <div class={tall ? 'overview overview--tall' : 'overview'} style={{ width: `${width}px`, height: `${height}px` }}>
      <canvas
        ref={canvas}
        style={{ width: `${width}px`, height: `${height}px` }}
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
