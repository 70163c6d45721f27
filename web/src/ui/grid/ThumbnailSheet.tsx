import { useEffect, useRef } from 'preact/hooks';
import type { ColourScale } from '../colour-scale';
import type { Theme } from '../palette';
import { useTheme } from '../theme';
import type { GridData } from './grid-data';
import { forgetPaint, type PaintJob, paintLater } from './paint-queue';
import { resize, valuePixels } from './pixels';

/** One slice at a glance. */
export interface Thumbnail {
  readonly index: number;
  readonly data: GridData;
  /** Has a part in what is being explained; the others stand back. */
  readonly involved: boolean;
}

/** Sizes of slices.css in CSS pixels: width of a thumbnail, from one to the next, and the room before the first. */
const WIDE = 20;
const PITCH = 26;
const BEFORE = 3;
const MOST_TALL = 20;
const RATIO = 2;
/** Largest side of a slice's pixels; a larger one is sampled. */
const SIDE = 64;
const PALE = 0.4;

/** Height of a thumbnail in CSS pixels. */
export function thumbnailHeight({ rows, cols }: GridData): number {
  return Math.min(MOST_TALL, (WIDE * (rows || 1)) / (cols || 1));
}

interface ThumbnailSheetProps {
  readonly thumbnails: readonly Thumbnail[];
  readonly scale: ColourScale;
}

/**
 * Thumbnails side by side on one canvas, in the colours of their grids. A canvas for each of them would be a layer for
 * each of them, and another for the text beside it: 64 of both cost every frame of the page 10 ms.
 */
export function ThumbnailSheet({ thumbnails, scale }: ThumbnailSheetProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const tone = useTheme();
  const { maxAbs, ramp, transfer } = scale;
  const height = Math.max(...thumbnails.map(({ data }) => thumbnailHeight(data)));
  const width = thumbnails.length * PITCH;
  useEffect(() => {
    const colours = { maxAbs, ramp, transfer };
    const target = canvas.current;
    const context = target?.getContext('2d');
    if (!target || !context) return;
    resize(target, width * RATIO, Math.ceil(height * RATIO));
    context.imageSmoothingEnabled = false;
    let next = 0;
    let part: PaintJob | null = null;
    paintLater(target, () => {
      const thumbnail = thumbnails[next];
      if (!thumbnail) return true;
      part ??= pixelsOf(thumbnail, colours, tone, (cols, rows) => {
        const at = next * PITCH * RATIO;
        const tall = thumbnailHeight(thumbnail.data) * RATIO;
        context.clearRect(at, 0, PITCH * RATIO, target.height);
        context.globalAlpha = thumbnail.involved ? 1 : PALE;
        context.drawImage(scratch(), 0, 0, cols, rows, at, 0, WIDE * RATIO, tall);
      });
      if (part()) {
        part = null;
        next += 1;
      }
      return next === thumbnails.length;
    });
    return () => forgetPaint(target);
  }, [thumbnails, width, height, maxAbs, ramp, transfer, tone]);
  return (
    <canvas
      ref={canvas}
      class="slices__sheet"
      style={{ left: `${BEFORE}px`, top: `${BEFORE}px`, width: `${width}px`, height: `${height}px` }}
    />
  );
}

function pixelsOf(
  { data }: Thumbnail,
  scale: ColourScale,
  tone: Theme,
  onDone: (cols: number, rows: number) => void,
): PaintJob {
  const step = Math.max(1, Math.ceil(Math.max(data.rows, data.cols) / SIDE));
  const done = () => onDone(Math.ceil(data.cols / step), Math.ceil(data.rows / step));
  return valuePixels(scratch(), data, scale, tone, step, done);
}

let shared: OffscreenCanvas | null = null;

/** One canvas for the pixels of all slices, each of which is drawn as soon as it is painted. */
function scratch(): OffscreenCanvas {
  shared ??= new OffscreenCanvas(SIDE, SIDE);
  return shared;
}
