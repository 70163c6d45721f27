import { useEffect, useRef } from 'preact/hooks';
import type { ColourScale } from '../colour-scale';
import { theme } from '../theme';
import type { GridData } from './grid-data';
import { forgetPaint, paintLater } from './paint-queue';
import { valuePixels } from './pixels';

interface ThumbnailProps {
  readonly data: GridData;
  readonly scale: ColourScale;
}

/** Largest side of a thumbnail's pixels; a larger slice is sampled. */
const SIDE = 64;

/** A slice at a glance, in the colours of its grid. */
export function Thumbnail({ data, scale }: ThumbnailProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const tone = theme.value;
  useEffect(() => {
    const target = canvas.current;
    if (!target) return;
    const step = Math.max(1, Math.ceil(Math.max(data.rows, data.cols) / SIDE));
    const show = () => {
      const context = target.getContext('2d');
      if (!context) return;
      context.imageSmoothingEnabled = false;
      context.drawImage(scratch(), 0, 0, Math.ceil(data.cols / step), Math.ceil(data.rows / step), 0, 0, SIDE, SIDE);
    };
    paintLater(target, valuePixels(scratch(), data, scale, tone, step, show));
    return () => forgetPaint(target);
  }, [data, scale.maxAbs, scale.ramp, scale.transfer, tone]);
  return (
    <canvas
      ref={canvas}
      class="thumbnail"
      width={SIDE}
      height={SIDE}
      style={{ aspectRatio: `${data.cols || 1} / ${data.rows || 1}` }}
    />
  );
}

let shared: OffscreenCanvas | null = null;

/**
 * One canvas for the pixels of all thumbnails, each of which is painted in one go. To give every thumbnail the size of
 * its slice would cost a millisecond each whenever a slider changes it.
 */
function scratch(): OffscreenCanvas {
  shared ??= new OffscreenCanvas(SIDE, SIDE);
  return shared;
}
