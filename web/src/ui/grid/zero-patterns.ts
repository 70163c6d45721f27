import type { Theme } from '../palette';
import { DOT_RADIUS, GRID_COLORS, PITCH } from '../palette';

/** Patterns of zeros that are not data, on a canvas; as in number-grid.css. */
export type ZeroKind = 'dots' | 'hatching';

const tiles = new Map<string, OffscreenCanvas>();

/** Fills the context's path with the background of such zeros, and with dots or hatching. */
export function fillZeros(context: CanvasRenderingContext2D, theme: Theme, kind: ZeroKind, ratio: number): void {
  context.fillStyle = GRID_COLORS[theme].padding;
  context.fill();
  const tile = tileOf(theme, kind, ratio);
  const pattern = context.createPattern(tile, 'repeat');
  if (!pattern) return;
  pattern.setTransform(new DOMMatrix().scale(PITCH / tile.width));
  context.fillStyle = pattern;
  context.fill();
}

/** A tile in device pixels: a scaled one would be blurred or jagged. */
function tileOf(theme: Theme, kind: ZeroKind, ratio: number): OffscreenCanvas {
  const key = `${theme} ${kind} ${ratio}`;
  const known = tiles.get(key);
  if (known) return known;
  const side = Math.max(1, Math.round(PITCH * ratio));
  const tile = new OffscreenCanvas(side, side);
  const context = tile.getContext('2d');
  if (context) {
    context.scale(side / PITCH, side / PITCH);
    const { dot, hatch } = GRID_COLORS[theme];
    context.beginPath();
    if (kind === 'dots') {
      context.arc(PITCH / 2, PITCH / 2, DOT_RADIUS, 0, 2 * Math.PI);
      context.fillStyle = dot;
      context.fill();
    } else {
      // The middle line, and the corners of the adjacent ones.
      for (const shift of [-PITCH, 0, PITCH]) {
        context.moveTo(shift - 1, PITCH + 1);
        context.lineTo(shift + PITCH + 1, -1);
      }
      context.strokeStyle = hatch;
      context.stroke();
    }
  }
  tiles.set(key, tile);
  return tile;
}
