import type { Color } from './colors';

/**
 * Figures are SVG: self-contained, without scripts, with real texts. A translucent color is written as color and
 * opacity, for programs without CSS color support. Lengths are CSS pixels.
 */

export type Rect = Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;
export type Point = Pick<Rect, 'x' | 'y'>;

/** Elements of a figure, their bounding box, and the definitions that they reference. */
export interface Piece {
  readonly box: Rect;
  readonly svg: string;
  readonly defs: readonly string[];
}

export interface Figure {
  readonly width: number;
  readonly height: number;
  readonly background: Color;
  /** Text for screen readers. */
  readonly title: string;
  readonly description: string;
  /** The whole file. */
  readonly svg: string;
}

export interface Font {
  readonly family: string;
  readonly size: number;
  readonly weight: string;
  readonly italic: boolean;
}

export interface SvgLine {
  readonly color: Color;
  readonly width: number;
}

/** A pattern or gradient, which starts at the upper left corner of the filled area. */
export interface Pattern {
  readonly id: string;
  readonly def: string;
}

export const NO_BOX: Rect = { x: 0, y: 0, width: 0, height: 0 };

export function union(a: Rect, b: Rect): Rect {
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

function within(a: Rect, b: Rect): Rect {
  const [x, y] = [Math.max(a.x, b.x), Math.max(a.y, b.y)];
  const width = Math.min(a.x + a.width, b.x + b.width) - x;
  const height = Math.min(a.y + a.height, b.y + b.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : NO_BOX;
}

export const grow = ({ x, y, width, height }: Rect, by: number): Rect => ({
  x: x - by,
  y: y - by,
  width: Math.max(0, width + 2 * by),
  height: Math.max(0, height + 2 * by),
});

export type Attributes = Readonly<Record<string, string | number | null | undefined>>;

/** An element as text, without the attributes that have no value. Numbers have three decimals. */
export function element(name: string, attributes: Attributes, inside?: string): string {
  const written = Object.entries(attributes).map(([key, value]) =>
    value == null ? '' : ` ${key}="${typeof value === 'number' ? short(value) : escaped(value)}"`,
  );
  return `<${name}${written.join('')}${inside === undefined ? '/>' : `>${inside}</${name}>`}`;
}

const short = (value: number): string => String(Math.round(value * 1000) / 1000);

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text in XML or HTML. XML does not allow control characters. */
export const escaped = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '').replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? '');

const colored = (name: string, share: string, color: Color | null): Attributes => ({
  [name]: color?.slice(0, 7) ?? 'none',
  [share]: color && color.length > 7 ? Number.parseInt(color.slice(7), 16) / 255 : null,
});

export const filled = (fill: Color | Pattern | null): Attributes =>
  fill && typeof fill === 'object' ? { fill: `url(#${fill.id})` } : colored('fill', 'fill-opacity', fill);

export const stroked = ({ color, width }: SvgLine): Attributes => ({
  ...colored('stroke', 'stroke-opacity', color),
  'stroke-width': width,
});

const translated = (x: number, y: number): string => `translate(${short(x)} ${short(y)})`;

/** A rectangle; its line is centered on the edge. */
export function rect(
  box: Rect,
  look: { readonly radius?: number; readonly fill?: Color | Pattern; readonly line?: SvgLine },
): Piece {
  const { radius = 0, fill = null, line } = look;
  const { x, y, width, height } = box;
  const pattern = typeof fill === 'object' ? fill : null;
  const svg = element('rect', {
    ...(pattern ? { transform: translated(x, y) } : { x, y }),
    ...{ width, height, rx: radius > 0 ? radius : null },
    ...filled(fill),
    ...(line && stroked(line)),
  });
  return { box: line ? grow(box, line.width / 2) : box, svg, defs: pattern ? [pattern.def] : [] };
}

/** One line of text, which keeps its width in another font. `x` and `y` are the start of its baseline. */
export function text(
  words: string,
  { x, y, width, transform }: Omit<Rect, 'height'> & { readonly transform?: string },
  font: Font,
  fill: Color,
  box: Rect,
): Piece {
  const kept = words.length > 1 ? { textLength: width, lengthAdjust: 'spacingAndGlyphs' } : {};
  const { family, size, weight, italic } = font;
  const attributes: Attributes = {
    ...{ x, y, transform, ...kept },
    ...{ 'font-family': family.replaceAll('"', "'"), 'font-size': size },
    ...{ 'font-weight': weight === '400' ? null : weight, 'font-style': italic ? 'italic' : null },
    ...filled(fill),
  };
  return { box, svg: element('text', attributes, escaped(words)), defs: [] };
}

/** Pixels that fill a box; `squares` are magnified without smoothing. */
export const image = (box: Rect, pixels: HTMLCanvasElement, squares: boolean): Piece => ({
  box,
  svg: element('image', {
    ...{ ...box, preserveAspectRatio: 'none', style: squares ? 'image-rendering:pixelated' : null },
    href: pixels.toDataURL('image/png'),
  }),
  defs: [],
});

export const joined = (pieces: readonly Piece[]): Piece => ({
  box: pieces.reduce((all, { box }) => union(all, box), NO_BOX),
  svg: pieces.flatMap(({ svg }) => svg || []).join('\n'),
  defs: pieces.flatMap(({ defs }) => defs),
});

export function group(inside: Piece, { clip = null, opacity = 1 }: { clip?: Rect | null; opacity?: number }): Piece {
  if (!clip && opacity >= 1) return inside;
  const id = clip && `clip${Object.values(clip).map(short).join('_')}`;
  const attributes = { 'clip-path': id && `url(#${id})`, opacity: opacity < 1 ? opacity : null };
  return {
    box: clip ? within(inside.box, clip) : inside.box,
    svg: element('g', attributes, `\n${inside.svg}\n`),
    defs: id ? [...inside.defs, element('clipPath', { id }, element('rect', { ...clip }))] : inside.defs,
  };
}

export const moved = ({ box, svg, defs }: Piece, x: number, y: number): Piece => ({
  box: { ...box, x: box.x + x, y: box.y + y },
  svg: element('g', { transform: translated(x, y) }, `\n${svg}\n`),
  defs,
});

/** Dots on a square lattice. */
export function dots(color: Color, pitch: number, radius: number): Pattern {
  const id = `dots${color.slice(1)}`;
  const dot = element('circle', { cx: pitch / 2, cy: pitch / 2, r: radius, ...filled(color) });
  return { id, def: element('pattern', { id, width: pitch, height: pitch, patternUnits: 'userSpaceOnUse' }, dot) };
}

/** Lines that rise to the right; `first` and `spacing` are measured perpendicular to them. */
export function hatching(color: Color, spacing: number, first: number, width: number): Pattern {
  const id = `hatching${color.slice(1)}_${short(spacing)}_${short(width)}`;
  const line = element('path', { d: `M${short(first)} 0V${short(spacing)}`, ...stroked({ color, width }) });
  const tile = { width: spacing, height: spacing, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' };
  return { id, def: element('pattern', { id, ...tile }, line) };
}

/** Colors at equal distances from left to right, in a part of the ramp. */
export function rampPattern(colors: readonly Color[], from: number): Pattern {
  const stops = colors.map((color, i) => ({ color, at: (i / (colors.length - 1) - from) / (1 - from) }));
  const shown = stops.filter(({ at }) => at >= 0);
  const id = `ramp${shown.map(({ color }) => color.slice(1)).join('')}`;
  const written = shown.map(({ at, color }) =>
    element('stop', { offset: at, ...colored('stop-color', 'stop-opacity', color) }),
  );
  return { id, def: element('linearGradient', { id }, written.join('')) };
}

/** A whole file. */
export function writeSvg({ svg, defs }: Piece, figure: Omit<Figure, 'svg'>): Figure {
  const { background, title, description } = figure;
  const [width, height] = [Math.ceil(figure.width), Math.ceil(figure.height)];
  const once = [...new Set(defs)];
  const attributes = {
    ...{ xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}` },
    ...{ role: 'img', 'aria-labelledby': 'title desc' },
    ...{ 'text-rendering': 'geometricPrecision', style: 'font-variant-numeric:tabular-nums' },
  };
  const inside = [
    '',
    element('title', { id: 'title' }, escaped(title)),
    element('desc', { id: 'desc' }, escaped(description)),
    ...(once.length > 0 ? [element('defs', {}, once.join(''))] : []),
    element('rect', { width, height, ...filled(background) }),
    svg,
    '',
  ];
  return {
    ...figure,
    svg: `<?xml version="1.0" encoding="UTF-8"?>\n${element('svg', attributes, inside.join('\n'))}\n`,
  };
}
