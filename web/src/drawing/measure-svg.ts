import { colorOf, faded } from './colors';
import type { Box, Hatching, Item, Line, Matrix } from './drawing';
import { lengthOf } from './measure-box';
import { fontOf } from './measure-text';

/** SVG elements of the page: marks, arrows, plots. */

export const measureSvg = (svg: SVGSVGElement, origin: Matrix): readonly Item[] =>
  [...svg.children].flatMap((child) => measureShape(child, origin, 1));

/** Drawn where they are referenced. */
const ASIDE = new Set(['defs', 'title', 'desc', 'clipPath', 'marker']);

/** One shape, or a group of shapes. */
export function measureShape(element: Element, origin: Matrix, opacity: number): readonly Item[] {
  if (!(element instanceof SVGGraphicsElement) || ASIDE.has(element.tagName)) return [];
  const style = getComputedStyle(element);
  const share = opacity * Number(style.opacity);
  if (style.display === 'none' || style.visibility === 'hidden' || share === 0) return [];
  if (element.tagName === 'g' || element.tagName === 'svg')
    return [...element.children].flatMap((child) => measureShape(child, origin, share));
  const matrix = matrixOf(element, origin);
  if (element instanceof SVGTextContentElement) return textOf(element, style, matrix, share);
  const d = pathOf(element);
  if (!d) return [];
  const fill = fillOf(style, share, element);
  const line = lineOf(style, share);
  if (!fill && !line) return [];
  const box = boxOf(element, matrix, line ? line.width / 2 : 0);
  return [{ kind: 'path', d, box, matrix, ...(fill ? { fill } : {}), ...(line ? { line } : {}) }];
}

function matrixOf(element: SVGGraphicsElement, origin: Matrix): Matrix {
  const { a, b, c, d, e, f } = element.getScreenCTM() ?? { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };
  return [a, b, c, d, e + origin[4], f + origin[5]];
}

/** The bounding box of a shape after the matrix. */
function boxOf(element: SVGGraphicsElement, [a, b, c, d, e, f]: Matrix, out: number): Box {
  const { x, y, width, height } = element.getBBox();
  const xs = [x, x + width].flatMap((u) => [y, y + height].map((v) => a * u + c * v + e));
  const ys = [x, x + width].flatMap((u) => [y, y + height].map((v) => b * u + d * v + f));
  const [left, top] = [Math.min(...xs) - out, Math.min(...ys) - out];
  return { x: left, y: top, width: Math.max(...xs) + out - left, height: Math.max(...ys) + out - top };
}

const numberOf = (element: Element, name: string): number => Number(element.getAttribute(name) ?? 0);

function pathOf(element: Element): string | null {
  const at = (name: string) => numberOf(element, name);
  switch (element.tagName) {
    case 'path':
      return element.getAttribute('d');
    case 'line':
      return `M${at('x1')} ${at('y1')}L${at('x2')} ${at('y2')}`;
    case 'rect':
      return `M${at('x')} ${at('y')}h${at('width')}v${at('height')}h${-at('width')}z`;
    case 'circle': {
      const r = at('r');
      return `M${at('cx') - r} ${at('cy')}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
    }
    default:
      return null;
  }
}

function fillOf(style: CSSStyleDeclaration, share: number, element: Element): string | Hatching | null {
  const { fill } = style;
  if (fill === 'none') return null;
  const [, id] = /url\("?#([^")]+)"?\)/.exec(fill) ?? [];
  if (id) return patternOf(element.ownerDocument.getElementById(id));
  return faded(colorOf(fill), share * Number(style.fillOpacity));
}

/**
 * The only pattern of the page: vertical lines at the left edge of its tile, rotated by 45 degrees. The tile clips half
 * of each.
 */
function patternOf(pattern: Element | null): Hatching | null {
  const path = pattern?.firstElementChild;
  if (!pattern || !path) return null;
  const style = getComputedStyle(path);
  const color = faded(colorOf(style.stroke), Number(style.opacity));
  const seen = lengthOf(style.strokeWidth) / 2;
  if (!color) return null;
  return { kind: 'hatching', color, spacing: numberOf(pattern, 'width'), first: seen / 2, width: seen };
}

function lineOf(style: CSSStyleDeclaration, share: number): Line | null {
  const width = lengthOf(style.strokeWidth);
  const color = style.stroke === 'none' ? null : faded(colorOf(style.stroke), share * Number(style.strokeOpacity));
  if (!color || width <= 0) return null;
  const dash = (style.strokeDasharray.match(/[\d.]+/g) ?? []).map(Number);
  return {
    color,
    width,
    ...(dash.length > 0 ? { dash } : {}),
    ...(style.strokeLinecap === 'butt' ? {} : { cap: style.strokeLinecap as CanvasLineCap }),
    ...(style.strokeLinejoin === 'miter' ? {} : { join: style.strokeLinejoin as CanvasLineJoin }),
  };
}

function textOf(
  element: SVGTextContentElement,
  style: CSSStyleDeclaration,
  matrix: Matrix,
  share: number,
): readonly Item[] {
  const fill = faded(colorOf(style.fill), share);
  const text = element.textContent?.trim();
  if (!fill || !text || element.getNumberOfChars() === 0) return [];
  const { x, y } = element.getStartPositionOfChar(0);
  const width = element.getComputedTextLength();
  return [{ kind: 'text', text, box: boxOf(element, matrix, 0), x, y, width, matrix, font: fontOf(style), fill }];
}
