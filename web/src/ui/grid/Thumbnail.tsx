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
    const step = Math.max(1, Math.ceil(Math.max(data.rows, data.cols) / SIDE));
    const show = (pixels: OffscreenCanvas) => {
      const target = canvas.current;
      if (!target) return;
      target.width = pixels.width;
      target.height = pixels.height;
      target.getContext('2d')?.drawImage(pixels, 0, 0);
    };
    paintLater(canvas, valuePixels(data, scale, tone, step, show));
    return () => forgetPaint(canvas);
  }, [data, scale.maxAbs, scale.ramp, scale.transfer, tone]);
  return <canvas ref={canvas} class="thumbnail" style={{ aspectRatio: `${data.cols || 1} / ${data.rows || 1}` }} />;
}
