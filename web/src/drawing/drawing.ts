/**
 * A part of the page as rectangles, texts, lines and pixels, from which figures of every format are written. Plain data
 * in CSS pixels.
 */

/** "#rrggbb", or "#rrggbbaa" if translucent. */
export type Color = string;

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Dots on a square lattice of `pitch`, from the upper left corner of the filled area. */
export interface Dots {
  readonly kind: 'dots';
  readonly color: Color;
  readonly pitch: number;
  readonly radius: number;
}

/**
 * Lines that rise to the right; `first` and `spacing` are measured perpendicular to them, from the upper left corner.
 */
export interface Hatching {
  readonly kind: 'hatching';
  readonly color: Color;
  readonly spacing: number;
  readonly first: number;
  readonly width: number;
}

/** Colors from left to right, at fractions of the width of the filled area. */
export interface Ramp {
  readonly kind: 'ramp';
  readonly stops: readonly { readonly at: number; readonly color: Color }[];
}

export type Paint = Color | Dots | Hatching | Ramp;

export interface Line {
  readonly color: Color;
  readonly width: number;
  readonly dash?: readonly number[];
  readonly cap?: CanvasLineCap;
  readonly join?: CanvasLineJoin;
}

/** As in SVG and canvas: x' = a x + c y + e, y' = b x + d y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export interface Font {
  readonly family: string;
  /** In CSS pixels. */
  readonly size: number;
  readonly weight: string;
  readonly italic: boolean;
}

export interface RectItem {
  readonly kind: 'rect';
  readonly box: Box;
  readonly radius?: number;
  readonly fill?: Paint;
  /** Centered on the edge. */
  readonly line?: Line;
}

export interface PathItem {
  readonly kind: 'path';
  /** SVG path data. */
  readonly d: string;
  /** Its bounding box in the drawing. */
  readonly box: Box;
  readonly matrix: Matrix;
  readonly fill?: Color | Hatching;
  readonly line?: Line;
}

/** One line of text, set to `width` in any font. */
export interface TextItem {
  readonly kind: 'text';
  readonly text: string;
  readonly box: Box;
  /** Start of the baseline, before the matrix. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly matrix?: Matrix;
  readonly font: Font;
  readonly fill: Color;
}

/** Page canvases and worker canvases. */
export type Pixels = HTMLCanvasElement | OffscreenCanvas | ImageBitmap;

export interface ImageItem {
  readonly kind: 'image';
  readonly box: Box;
  readonly pixels: Pixels;
  /** Magnified without smoothing. */
  readonly squares: boolean;
}

export interface GroupItem {
  readonly kind: 'group';
  readonly clip: Box | null;
  readonly opacity: number;
  readonly items: readonly Item[];
}

export type Item = RectItem | PathItem | TextItem | ImageItem | GroupItem;

export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly background: Color;
  /** Text for screen readers. */
  readonly title: string;
  readonly description: string;
  readonly items: readonly Item[];
}

export const NO_BOX: Box = { x: 0, y: 0, width: 0, height: 0 };

export function union(a: Box, b: Box): Box {
  if (a.width <= 0 && a.height <= 0) return b;
  if (b.width <= 0 && b.height <= 0) return a;
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}

function within(a: Box, b: Box): Box {
  const [x, y] = [Math.max(a.x, b.x), Math.max(a.y, b.y)];
  const width = Math.min(a.x + a.width, b.x + b.width) - x;
  const height = Math.min(a.y + a.height, b.y + b.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : NO_BOX;
}

export const grow = ({ x, y, width, height }: Box, by: number): Box => ({
  x: x - by,
  y: y - by,
  width: Math.max(0, width + 2 * by),
  height: Math.max(0, height + 2 * by),
});

/** The bounding box of the items. */
export const extentOf = (items: readonly Item[]): Box => items.reduce((all, item) => union(all, boxOf(item)), NO_BOX);

function boxOf(item: Item): Box {
  if (item.kind === 'group') {
    const inside = extentOf(item.items);
    return item.clip ? within(inside, item.clip) : inside;
  }
  return item.kind === 'rect' && item.line ? grow(item.box, item.line.width / 2) : item.box;
}
