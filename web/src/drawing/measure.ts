import { TEXT_FAMILY } from '../ui/grid/heat-canvas';
import { repaintOf } from '../ui/grid/repaint';
import { DARK_INK } from '../ui/palette';
import { colorOf } from './colors';
import { type Box, extentOf, type Font, type Item, type Matrix } from './drawing';
import { measureBox } from './measure-box';
import { measureShape, measureSvg } from './measure-svg';
import { centeredText, measureText } from './measure-text';

/**
 * Reads a part of the page as it is drawn on the screen, so that no view describes its look twice. Needs layout; the
 * page must not change while it runs.
 */
export function measure(root: Element): readonly Item[] {
  const { left, top } = root.getBoundingClientRect();
  const origin: Matrix = [1, 0, 0, 1, -left, -top];
  return root instanceof SVGGElement
    ? measureShape(root, origin, 1)
    : measureElement(root, { origin, limit: Number.POSITIVE_INFINITY });
}

/** Canvas pixels for each CSS pixel, at the resolution of the exported figure. */
export const SHARPNESS = 2;

/** Controls are not part of a figure. */
const LEFT_OUT = [
  ...['input', '.select', '.segmented', '.checkbox', '.step-slider', '.button', '.zoom', '.slices__more'],
  ...['.edit-box', '.edit-note', '.lens', '[popover]', 'summary', 'details:not([open])'],
].join();

interface Around {
  /** From window to drawing coordinates. */
  readonly origin: Matrix;
  /** The clip of texts, in window coordinates. */
  readonly limit: number;
}

function measureElement(element: Element, around: Around): readonly Item[] {
  if (element.matches(LEFT_OUT)) return [];
  const style = getComputedStyle(element);
  if (style.display === 'none' || style.opacity === '0' || /inset\(50%\)/.test(style.clipPath)) return [];
  if (style.display === 'contents') return measureChildren(element, style, around);
  const { left, top, right, width, height } = element.getBoundingClientRect();
  const { origin } = around;
  const box: Box = { x: left + origin[4], y: top + origin[5], width, height };
  const own =
    style.visibility === 'hidden' || width === 0 || height === 0
      ? []
      : measureBox(style, box, element.matches(':focus-visible'));
  const cut = style.textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth;
  const inside = insideOf(element, style, cut ? { origin, limit: Math.min(around.limit, right) } : around, box);
  const clips = style.overflowX !== 'visible' || style.overflowY !== 'visible';
  const clip = clips && spills(extentOf(inside), box) ? box : null;
  const opacity = Number(style.opacity);
  if (inside.length > 0 && clip) return faint([...own, { kind: 'group', clip, opacity: 1, items: inside }], opacity);
  return faint([...own, ...inside], opacity);
}

const faint = (items: readonly Item[], opacity: number): readonly Item[] =>
  opacity < 1 && items.length > 0 ? [{ kind: 'group', clip: null, opacity, items }] : items;

const spills = (inner: Box, { x, y, width, height }: Box): boolean =>
  inner.x < x - 0.5 ||
  inner.y < y - 0.5 ||
  inner.x + inner.width > x + width + 0.5 ||
  inner.y + inner.height > y + height + 0.5;

function insideOf(element: Element, style: CSSStyleDeclaration, around: Around, box: Box): readonly Item[] {
  if (element instanceof HTMLCanvasElement) return measureCanvas(element, style, box);
  if (element instanceof SVGSVGElement) return measureSvg(element, around.origin);
  return measureChildren(element, style, around);
}

function measureChildren(element: Element, style: CSSStyleDeclaration, around: Around): readonly Item[] {
  const parts = [...element.childNodes].map((node) => {
    if (node instanceof Text) {
      const seen = style.visibility !== 'hidden';
      return { height: 0, items: seen ? measureText(node, style, around.origin, around.limit) : [] };
    }
    return node instanceof Element
      ? { height: heightOf(node), items: measureElement(node, around) }
      : { height: 0, items: [] };
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
function measureCanvas(canvas: HTMLCanvasElement, style: CSSStyleDeclaration, box: Box): readonly Item[] {
  if (canvas.width === 0 || canvas.height === 0 || box.width === 0 || box.height === 0) return [];
  const squares = style.imageRendering === 'pixelated';
  const repaint = repaintOf(canvas);
  if (!repaint) return [{ kind: 'image', box, pixels: copyOf(canvas), squares }];
  const sharp = document.createElement('canvas');
  repaint.paint(sharp, SHARPNESS);
  const texts = repaint.texts().map(({ text, x, y, size, ink }): Item => {
    const font: Font = { family: TEXT_FAMILY, size, weight: '400', italic: false };
    return centeredText(text, { x: box.x + x, y: box.y + y }, font, colorOf(ink) ?? DARK_INK);
  });
  return [{ kind: 'image', box, pixels: sharp, squares: false }, ...texts];
}

/** A copy of the canvas, which may change before the figure is saved. */
function copyOf(canvas: HTMLCanvasElement): HTMLCanvasElement {
  const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
  copy.getContext('2d')?.drawImage(canvas, 0, 0);
  return copy;
}
