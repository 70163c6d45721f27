import { DARK_INK } from '../ui/color-scale';
import { repaints, TEXT_FAMILY } from '../ui/grid/heat-canvas';
import { colorOf, faded } from './colors';
import { groundOf, lengthOf, measureBox } from './measure-box';
import { centeredText, fontOf, measureText } from './measure-text';
import {
  type Attributes,
  filled,
  group,
  grow,
  hatching,
  image,
  joined,
  type Pattern,
  type Piece,
  type Point,
  type Rect,
  rect,
  stroked,
  text,
  element as write,
} from './svg';

/**
 * Reads a part of the page as it is drawn on the screen, so that no view describes its look twice. Needs layout; the
 * page must not change while it runs.
 */
export function measure(root: Element): Piece {
  const { left, top } = root.getBoundingClientRect();
  return joined(measureElement(root, { origin: { x: -left, y: -top }, limit: Number.POSITIVE_INFINITY }));
}

/** Canvas pixels for each CSS pixel, at the resolution of the exported figure. */
export const SHARPNESS = 2;

/** Controls are not part of a figure. */
const LEFT_OUT = [
  ...[
    'input',
    '.select',
    '.segmented',
    '.checkbox',
    '.step-slider',
    '.button',
    '.zoom',
    '.slices__more',
    '.dy-menu__chevron',
  ],
  ...['.edit-box', '.edit-note', '.lens', '[popover]', 'summary', 'details:not([open])'],
].join();

interface Around {
  /** From window to drawing coordinates. */
  readonly origin: Point;
  /** The clip of texts, in window coordinates. */
  readonly limit: number;
}

function measureElement(element: Element, around: Around): readonly Piece[] {
  if (element.matches(LEFT_OUT)) return [];
  const style = getComputedStyle(element);
  if (style.display === 'none' || style.opacity === '0' || /inset\(50%\)/.test(style.clipPath)) return [];
  if (style.display === 'contents') return measureChildren(element, style, around);
  const { left, top, right, width, height } = element.getBoundingClientRect();
  const { origin } = around;
  const box: Rect = { x: left + origin.x, y: top + origin.y, width, height };
  const own =
    style.visibility === 'hidden' || width === 0 || height === 0
      ? []
      : measureBox(style, box, element.matches(':focus-visible'));
  const cut = style.textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth;
  const limit = cut ? Math.min(around.limit, right) : around.limit;
  const inside = joined(insideOf(element, style, { origin, limit }, box));
  const across = style.overflowX === 'visible' ? inside.box : box;
  const down = style.overflowY === 'visible' ? inside.box : box;
  const room: Rect = { x: across.x, y: down.y, width: across.width, height: down.height };
  const clip = spills(inside.box, room) ? room : null;
  if (own.length === 0 && inside.svg === '') return [];
  return [group(joined([...own, group(inside, { clip })]), { opacity: Number(style.opacity) })];
}

const spills = (inner: Rect, { x, y, width, height }: Rect): boolean =>
  inner.x < x - 0.5 ||
  inner.y < y - 0.5 ||
  inner.x + inner.width > x + width + 0.5 ||
  inner.y + inner.height > y + height + 0.5;

function insideOf(element: Element, style: CSSStyleDeclaration, around: Around, box: Rect): readonly Piece[] {
  if (element instanceof HTMLCanvasElement) return measureCanvas(element, style, box);
  if (element instanceof SVGSVGElement) return [measureShape(element, around.origin)];
  return measureChildren(element, style, around);
}

function measureChildren(element: Element, style: CSSStyleDeclaration, around: Around): readonly Piece[] {
  const parts = [...element.childNodes].map((node) => {
    if (node instanceof Element) return { height: heightOf(node), items: measureElement(node, around) };
    const isSeen = node instanceof Text && style.visibility !== 'hidden';
    return { height: 0, items: isSeen ? measureText(node, style, around.origin, around.limit) : [] };
  });
  // By z-index, then by document order.
  return parts.sort((a, b) => a.height - b.height).flatMap(({ items }) => items);
}

function heightOf(element: Element): number {
  const { position, zIndex } = getComputedStyle(element);
  if (position === 'static') return 0;
  return zIndex === 'auto' ? 0.5 : Number(zIndex) + 0.5;
}

/** A map is drawn again at the resolution of the figure; its numbers are texts. */
function measureCanvas(canvas: HTMLCanvasElement, style: CSSStyleDeclaration, box: Rect): readonly Piece[] {
  if (canvas.width === 0 || canvas.height === 0 || box.width === 0 || box.height === 0) return [];
  const repaint = repaints.get(canvas);
  if (!repaint) return [image(box, canvas, style.imageRendering === 'pixelated')];
  const sharp = document.createElement('canvas');
  repaint.paint(sharp, SHARPNESS);
  const texts = repaint.texts().map(({ text, x, y, size, ink }) => {
    const font = { family: TEXT_FAMILY, size, weight: '400', italic: false };
    return centeredText(text, { x: box.x + x, y: box.y + y }, font, colorOf(ink) ?? DARK_INK);
  });
  return [image(box, sharp, false), ...texts];
}

/** css-ok: visible in both themes. */
const EDGE = { color: '#88839080', width: 1 };

/** The colors and lines of a mark or a cell in another square, with an edge if it has none. */
export function sampleOf(element: Element, box: Rect): Piece {
  const { x, y, width, height } = box;
  const marked = [...element.querySelectorAll('path')].flatMap((path): readonly Piece[] => {
    const { attributes, pattern } = lookOf(getComputedStyle(path), 1, 2.5);
    if (!attributes) return [];
    return [{ box, svg: write('rect', { x, y, width, height, ...attributes }), defs: pattern ? [pattern.def] : [] }];
  });
  const pieces = element instanceof SVGElement ? marked : groundOf(getComputedStyle(element), box);
  const edged = pieces.some(({ svg }) => svg.includes(' stroke='));
  return joined(edged || pieces.length === 0 ? pieces : [...pieces, rect(box, { line: EDGE })]);
}

/** SVG elements of the page: marks, arrows, plots. */

/** Attributes of the shapes, which are copied. */
const GEOMETRY = ['d', 'x', 'y', 'width', 'height', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r'] as const;
const SHAPES = new Set(['path', 'line', 'rect', 'circle']);

function measureShape(element: Element, origin: Point, opacity = 1): Piece {
  // A text has its whole content; definitions are drawn where they are referenced.
  const isGroup = element.tagName === 'g' || element.tagName === 'svg';
  const isText = element instanceof SVGTextContentElement;
  if (!(element instanceof SVGGraphicsElement && (isGroup || isText || SHAPES.has(element.tagName)))) return joined([]);
  const style = getComputedStyle(element);
  const share = opacity * Number(style.opacity);
  if (style.display === 'none' || style.visibility === 'hidden' || share === 0) return joined([]);
  if (isGroup) return joined([...element.children].map((child) => measureShape(child, origin, share)));
  const matrix = new DOMMatrix().translate(origin.x, origin.y).multiply(element.getScreenCTM() ?? undefined);
  return isText ? textOf(element, style, matrix, share) : shapeOf(element, style, matrix, share);
}

function shapeOf(element: SVGGraphicsElement, style: CSSStyleDeclaration, matrix: DOMMatrix, share: number): Piece {
  const { attributes, pattern, width } = lookOf(style, share);
  if (!attributes) return joined([]);
  const geometry = GEOMETRY.map((name) => [name, element.getAttribute(name)] as const);
  const svg = write(element.tagName, { ...Object.fromEntries(geometry), transform: `${matrix}`, ...attributes });
  return { box: grow(boxOf(element, matrix), width / 2), svg, defs: pattern ? [pattern.def] : [] };
}

/** Fill and line of a shape; `attributes` is null if it has neither. `thickest` limits the line. */
function lookOf(style: CSSStyleDeclaration, share: number, thickest = Number.POSITIVE_INFINITY) {
  const [, id] = /url\("?#([^")]+)"?\)/.exec(style.fill) ?? [];
  const pattern = id ? patternOf(document.getElementById(id)) : null;
  const of = (css: string, opacity: string) => (css === 'none' ? null : faded(colorOf(css), share * Number(opacity)));
  const fill = id ? pattern : of(style.fill, style.fillOpacity);
  const color = of(style.stroke, style.strokeOpacity);
  const width = color ? Math.min(thickest, lengthOf(style.strokeWidth)) : 0;
  const line: Attributes = color && width > 0 ? { ...stroked({ color, width }), ...strokeOf(style) } : {};
  return { attributes: fill || width > 0 ? { ...filled(fill), ...line } : null, pattern, width };
}

const strokeOf = ({ strokeDasharray: dash, strokeLinecap: cap, strokeLinejoin: join }: CSSStyleDeclaration) => ({
  'stroke-dasharray': dash === 'none' ? null : dash.replaceAll('px', '').replaceAll(',', ''),
  'stroke-linecap': cap === 'butt' ? null : cap,
  'stroke-linejoin': join === 'miter' ? null : join,
});

function boxOf(element: SVGGraphicsElement, matrix: DOMMatrix): Rect {
  const { x, y, width, height } = element.getBBox();
  const corners = [x, x + width].flatMap((u) => [y, y + height].map((v) => matrix.transformPoint({ x: u, y: v })));
  const [xs, ys] = [corners.map((corner) => corner.x), corners.map((corner) => corner.y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}

/**
 * The only pattern of the page: vertical lines at the left edge of its tile, rotated by 45 degrees. The tile clips half
 * of each.
 */
function patternOf(pattern: Element | null): Pattern | null {
  const path = pattern?.firstElementChild;
  if (!path) return null;
  const style = getComputedStyle(path);
  const color = faded(colorOf(style.stroke), Number(style.opacity));
  const seen = lengthOf(style.strokeWidth) / 2;
  return color ? hatching(color, Number(pattern?.getAttribute('width')), seen / 2, seen) : null;
}

function textOf(element: SVGTextContentElement, style: CSSStyleDeclaration, matrix: DOMMatrix, share: number): Piece {
  const fill = faded(colorOf(style.fill), share);
  const words = element.textContent?.trim();
  if (!fill || !words || element.getNumberOfChars() === 0) return joined([]);
  const { x, y } = element.getStartPositionOfChar(0);
  const placed = { x, y, width: element.getComputedTextLength(), transform: `${matrix}` };
  return text(words, placed, fontOf(style), fill, boxOf(element, matrix));
}
