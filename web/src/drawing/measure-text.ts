import { colorOf } from './colors';
import type { Font, Item, Matrix, TextItem } from './drawing';
import { lengthOf } from './measure-box';

/** Texts as laid out: one item for each line. */

let context: CanvasRenderingContext2D | null = null;
const heights = new Map<string, { readonly ascent: number; readonly descent: number }>();

/** The CSS font shorthand. */
const cssFont = ({ family, size, weight, italic }: Font): string =>
  `${italic ? 'italic ' : ''}${weight} ${size}px ${family}`;

export const fontOf = (style: CSSStyleDeclaration): Font => ({
  family: style.fontFamily,
  size: lengthOf(style.fontSize),
  weight: style.fontWeight,
  italic: style.fontStyle !== 'normal',
});

function measuring(font: Font): CanvasRenderingContext2D | null {
  context ??= document.createElement('canvas').getContext('2d');
  if (context) context.font = cssFont(font);
  return context;
}

/** Width of a text that is not in the page. */
export const widthOf = (text: string, font: Font): number => measuring(font)?.measureText(text).width ?? 0;

/** Ascent and descent of a font. */
function heightOf(font: Font) {
  const key = cssFont(font);
  const known = heights.get(key);
  if (known) return known;
  const { fontBoundingBoxAscent = 0.8 * font.size, fontBoundingBoxDescent = 0.2 * font.size } =
    measuring(font)?.measureText('x') ?? {};
  const height = { ascent: fontBoundingBoxAscent, descent: fontBoundingBoxDescent };
  heights.set(key, height);
  return height;
}

/** A line of text centered on a point. */
export function centeredText(
  text: string,
  at: { readonly x: number; readonly y: number },
  font: Font,
  fill: string,
): TextItem {
  const width = widthOf(text, font);
  const { ascent, descent } = heightOf(font);
  const x = at.x - width / 2;
  const box = { x, y: at.y - (ascent + descent) / 2, width, height: ascent + descent };
  return { kind: 'text', text, box, x, y: at.y + (ascent - descent) / 2, width, font, fill };
}

/** A line of text that starts at a point of its upper edge. */
export function plainText(
  text: string,
  { x, y }: { readonly x: number; readonly y: number },
  font: Font,
  fill: string,
): TextItem {
  const { ascent, descent } = heightOf(font);
  const middle = y + (ascent + descent) / 2;
  return centeredText(text, { x: x + widthOf(text, font) / 2, y: middle }, font, fill);
}

interface Written {
  readonly text: string;
  readonly rect: DOMRect;
}

/** The lines of a text of the page; text beyond `limit` is cut with an ellipsis, as on the page. */
export function measureText(node: Text, style: CSSStyleDeclaration, origin: Matrix, limit: number): readonly Item[] {
  const fill = colorOf(style.color);
  if (!fill || !node.data.trim()) return [];
  const font = fontOf(style);
  const { ascent } = heightOf(font);
  return linesOf(node).flatMap(({ text, rect }): readonly TextItem[] => {
    const words = shown(text, style, rect, font, limit);
    if (words === null) return [];
    const x = rect.left + origin[4];
    const top = rect.top + origin[5];
    const width = words === text ? rect.width : widthOf(words, font);
    return [
      {
        kind: 'text',
        text: words,
        box: { x, y: top, width, height: rect.height },
        x,
        // Browsers place lines at whole font pixels.
        y: top + Math.round(ascent),
        width,
        font,
        fill,
      },
    ];
  });
}

function shown(text: string, style: CSSStyleDeclaration, rect: DOMRect, font: Font, limit: number): string | null {
  const plain = style.textTransform === 'uppercase' ? text.toUpperCase() : text;
  if (rect.right <= limit + 0.5) return plain;
  if (rect.left >= limit) return null;
  let cut = plain;
  while (cut && rect.left + widthOf(`${cut.trimEnd()}…`, font) > limit) cut = cut.slice(0, -1);
  return `${cut.trimEnd()}…`;
}

function linesOf(node: Text): readonly Written[] {
  const range = document.createRange();
  const { data } = node;
  // Spaces at the ends take space but are not drawn.
  const between = (first: number, last: number): Written => {
    const text = data.slice(first, last);
    range.setStart(node, first + text.length - text.trimStart().length);
    range.setEnd(node, first + text.trimEnd().length);
    return { text: text.replace(/\s+/g, ' ').trim(), rect: range.getBoundingClientRect() };
  };
  range.selectNodeContents(node);
  const rects = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
  if (rects.length === 0) return [];
  if (rects.length === 1) return [between(0, data.length)];
  // Character by character: browsers do not report line breaks.
  const lines: { first: number; last: number; top: number }[] = [];
  for (let i = 0; i < data.length; i += 1) {
    range.setStart(node, i);
    range.setEnd(node, i + 1);
    const { width, height, top } = range.getBoundingClientRect();
    const line = lines.at(-1);
    if (width === 0) continue;
    if (line && Math.abs(line.top - top) < height / 2) line.last = i + 1;
    else lines.push({ first: i, last: i + 1, top });
  }
  return lines.map(({ first, last }) => between(first, last)).filter(({ text }) => text !== '');
}
