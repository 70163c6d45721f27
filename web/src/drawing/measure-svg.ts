import { colorOf, faded } from './colors';
import { lengthOf } from './measure-box';
import { fontOf } from './measure-text';
import {
  type Attributes,
  type Box,
  filled,
  grow,
  hatching,
  joined,
  type Pattern,
  type Piece,
  stroked,
  text,
  element as write,
} from './svg';

/** SVG elements of the page: marks, arrows, plots. */

/** Attributes of the shapes, which are copied. */
const GEOMETRY = ['d', 'x', 'y', 'width', 'height', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r'] as const;
const SHAPES = new Set(['path', 'line', 'rect', 'circle']);

/** One shape, or a group of shapes. */
export function measureShape(element: Element, origin: { readonly x: number; readonly y: number }, opacity = 1): Piece {
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
export function lookOf(style: CSSStyleDeclaration, share: number, thickest = Number.POSITIVE_INFINITY) {
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

/** The bounding box of a shape after the matrix. */
function boxOf(element: SVGGraphicsElement, matrix: DOMMatrix): Box {
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
