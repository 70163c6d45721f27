import type { ReadonlySignal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { ColorScale } from '../color-scale';
import { useTheme } from '../theme';
import { fullCols, fullRows, type GridData, NO_RING } from './grid-data';
import { drawHeat } from './heat-canvas';
import { MarkLayer } from './MarkLayer';
import type { Mark } from './marks';
import { cancelPaint, paintMap } from './paint-queue';
import { type PhotoPlanes, photoPixels, valuePixels } from './pixels';
import './grid-box.css';

interface MiniMapProps {
  readonly data: GridData;
  readonly scale: ColorScale;
  /** Cell size in CSS pixels. */
  readonly cell: number;
  readonly marks: ReadonlySignal<readonly Mark[]>;
  readonly photo?: PhotoPlanes | undefined;
}

/** Larger grids are sampled: the map is a few dozen pixels wide. */
const MOST_SIDE = 256;

/** A small map of a grid, without interaction. */
export function MiniMap({ data, scale, cell, marks, photo }: MiniMapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pixels = useRef<OffscreenCanvas | null>(null);
  const theme = useTheme();
  const { maxAbs, ramp, transfer } = scale;
  const [width, height] = [fullCols(data) * cell, fullRows(data) * cell];
  const step = Math.ceil(Math.max(data.rows, data.cols, 1) / MOST_SIDE);
  const few = useMemo(() => sampled(data, step), [data, step]);
  const shot = useMemo(
    () =>
      photo && {
        red: sampled(photo.red, step),
        green: sampled(photo.green, step),
        blue: sampled(photo.blue, step),
      },
    [photo, step],
  );
  useLayoutEffect(() => {
    const target = canvas.current;
    if (!target) return;
    pixels.current ??= new OffscreenCanvas(1, 1);
    const colors = { maxAbs, ramp, transfer };
    const image = { data: few, scale: colors, theme, pixels: pixels.current };
    const view = { row: -few.ring.top, col: -few.ring.left, cell: cell * step, width, height };
    const show = () => drawHeat(target, image, view);
    const job = shot ? photoPixels(image.pixels, shot, show) : valuePixels(image.pixels, few, colors, theme, 1, show);
    paintMap(target, few.rows * few.cols, job);
    return () => cancelPaint(target);
  }, [few, shot, maxAbs, ramp, transfer, theme, cell, step, width, height]);
  return (
    <div class="grid-box" style={{ width: `${width}px`, height: `${height}px` }}>
      <canvas ref={canvas} style={{ display: 'block', width: `${width}px`, height: `${height}px` }} />
      <MarkLayer
        marks={marks}
        size={cell}
        originRow={-data.ring.top}
        originCol={-data.ring.left}
        width={width}
        height={height}
      />
    </div>
  );
}

/** Every `step`th row and column; the ring, thinner than a pixel, is dropped. */
function sampled(data: GridData, step: number): GridData {
  if (step === 1) return data;
  return {
    ...data,
    rows: Math.ceil(data.rows / step),
    cols: Math.ceil(data.cols / step),
    rowStep: data.rowStep * step,
    colStep: data.colStep * step,
    ring: NO_RING,
  };
}
