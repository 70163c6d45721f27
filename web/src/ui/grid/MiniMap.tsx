import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { ColorScale } from '../color-scale';
import { useTheme } from '../theme';
import { type GridData, sized, wholeView } from './grid-data';
import { drawHeat } from './heat-canvas';
import { MarkLayer } from './marks';
import type { GridProps } from './NumberGrid';
import {
  cancelPaint,
  type PaintJob,
  type PhotoPlanes,
  paintLater,
  paintMap,
  photoPixels,
  resize,
  sampled,
  valuePixels,
} from './pixels';
import './number-grid.css';

/** Larger grids are sampled: the map is a few dozen pixels wide. */
const MOST_SIDE = 256;

/** A small map of a grid, without interaction. */
export function MiniMap({
  data,
  scale,
  cell,
  marks,
  photo,
}: Pick<GridProps, 'data' | 'scale' | 'marks'> & {
  /** Cell size in CSS pixels. */
  cell: number;
  photo?: PhotoPlanes | undefined;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pixels = useRef<OffscreenCanvas | null>(null);
  const theme = useTheme();
  const { maxAbs, ramp, transfer } = scale;
  const whole = wholeView(data, cell);
  const { width, height } = whole;
  const step = Math.ceil(Math.max(data.rows, data.cols, 1) / MOST_SIDE);
  const few = useMemo(() => sampled(data, step), [data, step]);
  const shot = useMemo(() => {
    const [red, green, blue] = photo ? [photo.red, photo.green, photo.blue].map((plane) => sampled(plane, step)) : [];
    return red && green && blue && { red, green, blue };
  }, [photo, step]);
  useLayoutEffect(() => {
    const target = canvas.current;
    if (!target) return;
    pixels.current ??= new OffscreenCanvas(1, 1);
    const colors = { maxAbs, ramp, transfer };
    const image = { data: few, scale: colors, theme, pixels: pixels.current };
    const view = { ...wholeView(few, cell * step), width, height };
    function* show(onto: HTMLCanvasElement): PaintJob {
      yield* shot ? photoPixels(image.pixels, shot) : valuePixels(image.pixels, few, colors, theme);
      drawHeat(onto, image, view);
    }
    paintMap(target, few.rows * few.cols, show(target));
    return () => cancelPaint(target);
  }, [few, shot, maxAbs, ramp, transfer, theme, cell, step, width, height]);
  return (
    <div class="grid-box" style={sized(width, height)}>
      <canvas ref={canvas} style={{ display: 'block', ...sized(width, height) }} />
      <MarkLayer marks={marks} view={whole} />
    </div>
  );
}

export interface Thumbnail {
  readonly index: number;
  readonly data: GridData;
  /** Used by the explained cell; the others are drawn pale. */
  readonly involved: boolean;
}

/** Sizes in CSS pixels, as in slices.css: width of a thumbnail, distance to the next, and the space before the first. */
const WIDE = 20;
const PITCH = 26;
const BEFORE = 3;
const MOST_TALL = 20;
const RATIO = 2;
/** Largest side of a slice in pixels; larger slices are sampled. */
const SIDE = 64;
const PALE = 0.4;

/** Height of a thumbnail in CSS pixels. */
export const thumbnailHeight = ({ rows, cols }: GridData): number =>
  Math.min(MOST_TALL, (WIDE * (rows || 1)) / (cols || 1));

/** On one canvas. On one each, 64 thumbnails and their texts would be 128 layers to compose: 10 ms per frame. */
export function ThumbnailSheet({ thumbnails, scale }: { thumbnails: readonly Thumbnail[]; scale: ColorScale }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const tone = useTheme();
  const { maxAbs, ramp, transfer } = scale;
  const height = Math.max(...thumbnails.map(({ data }) => thumbnailHeight(data)));
  const width = thumbnails.length * PITCH;
  useEffect(() => {
    const colors = { maxAbs, ramp, transfer };
    const target = canvas.current;
    const context = target?.getContext('2d');
    if (!target || !context) return;
    resize(target, width * RATIO, Math.ceil(height * RATIO));
    context.imageSmoothingEnabled = false;
    function* paint(canvasOfAll: HTMLCanvasElement, onto: CanvasRenderingContext2D): PaintJob {
      for (const [i, { data, involved }] of thumbnails.entries()) {
        const few = sampled(data, Math.max(1, Math.ceil(Math.max(data.rows, data.cols) / SIDE)));
        yield* valuePixels(scratch(), few, colors, tone);
        const at = i * PITCH * RATIO;
        onto.clearRect(at, 0, PITCH * RATIO, canvasOfAll.height);
        onto.globalAlpha = involved ? 1 : PALE;
        onto.drawImage(scratch(), 0, 0, few.cols, few.rows, at, 0, WIDE * RATIO, thumbnailHeight(data) * RATIO);
      }
    }
    paintLater(target, paint(target, context));
    return () => cancelPaint(target);
  }, [thumbnails, width, height, maxAbs, ramp, transfer, tone]);
  return (
    <canvas
      ref={canvas}
      class="slices__sheet"
      style={{ left: `${BEFORE}px`, top: `${BEFORE}px`, ...sized(width, height) }}
    />
  );
}

let shared: OffscreenCanvas | null = null;

/** One canvas for the pixels of all slices; each is copied as soon as it is painted. */
function scratch() {
  shared ??= new OffscreenCanvas(SIDE, SIDE);
  return shared;
}
