/**
 * A part of the page as rectangles, texts, lines and pixels: what a picture of it is written from, whatever its format. Plain
 * data, in CSS pixels.
 */

/** "#rrggbb", or "#rrggbbaa" where one sees through it. */
export type Colour = string;

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Dots in squares of `pitch`, from the upper left corner of what they fill. */
export interface Dots {
  readonly kind: 'dots';
  readonly colour: Colour;
  readonly pitch: number;
  readonly radius: number;
}

/** Lines that rise to the right; `first` and `spacing` are measured across them, from the upper left corner. */
export interface Hatching {
  readonly kind: 'hatching';
  readonly colour: Colour;
  readonly spacing: number;
  readonly first: number;
  readonly width: number;
}

/** Colours from left to right, at shares of the width of what they fill. */
export interface Ramp {
  readonly kind: 'ramp';
  readonly stops: readonly { readonly at: number; readonly colour: Colour }[];
}

export type Paint = Colour | Dots | Hatching | Ramp;

export interface Line {
  readonly colour: Colour;
  readonly width: number;
  readonly dash?: readonly number[];
  readonly cap?: CanvasLineCap;
  readonly join?: CanvasLineJoin;
}

/** As SVG and canvases have it: x' = a x + c y + e, y' = b x + d y + f. */
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
  /** Along the middle of the edge. */
  readonly line?: Line;
}

export interface PathItem {
  readonly kind: 'path';
  /** As SVG writes it. */
  readonly d: string;
  /** What of the drawing it covers. */
  readonly box: Box;
  readonly matrix: Matrix;
  readonly fill?: Colour | Hatching;
  readonly line?: Line;
}

/** One line of text; it takes `width`, whatever font draws it. */
export interface TextItem {
  readonly kind: 'text';
  readonly text: string;
  readonly box: Box;
  /** Where the line begins, on its baseline, before the matrix. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly matrix?: Matrix;
  readonly font: Font;
  readonly fill: Colour;
}

/** The two kinds of canvas that a page has. */
export type Pixels = HTMLCanvasElement | OffscreenCanvas | ImageBitmap;

export interface ImageItem {
  readonly kind: 'image';
  readonly box: Box;
  readonly pixels: Pixels;
  /** Magnified, its pixels stay squares. */
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
  readonly background: Colour;
  /** For who cannot see it. */
  readonly title: string;
  readonly description: string;
  readonly items: readonly Item[];
}

export const NO_BOX: Box = { x: 0, y: 0, width: 0, height: 0 };

export function around(a: Box, b: Box): Box {
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

/** What the items cover. */
export const extentOf = (items: readonly Item[]): Box => items.reduce((all, item) => around(all, boxOf(item)), NO_BOX);

function boxOf(item: Item): Box {
  if (item.kind === 'group') {
    const inside = extentOf(item.items);
    return item.clip ? within(inside, item.clip) : inside;
  }
  return item.kind === 'rect' && item.line ? grow(item.box, item.line.width / 2) : item.box;
}
