import { colorOf } from './colors';
import { lengthOf } from './measure-box';
import { type Font, type Piece, type Point, text } from './svg';

/** Texts as laid out: one piece for each line. */

let context: CanvasRenderingContext2D | null = null;

export const fontOf = (style: CSSStyleDeclaration): Font => ({
  family: style.fontFamily,
  size: lengthOf(style.fontSize),
  weight: style.fontWeight,
  italic: style.fontStyle !== 'normal',
});

function sizeOf(words: string, { family, size, weight, italic }: Font) {
  context ??= document.createElement('canvas').getContext('2d');
  if (!context) return { width: 0, ascent: 0.8 * size, descent: 0.2 * size };
  context.font = `${italic ? 'italic ' : ''}${weight} ${size}px ${family}`;
  const { width, fontBoundingBoxAscent, fontBoundingBoxDescent } = context.measureText(words);
  return { width, ascent: fontBoundingBoxAscent, descent: fontBoundingBoxDescent };
}

/** Width of a text that is not in the page. */
export const widthOf = (words: string, font: Font): number => sizeOf(words, font).width;

export function centeredText(words: string, { x, y }: Point, font: Font, fill: string): Piece {
  const { width, ascent, descent } = sizeOf(words, font);
  return textPiece(words, { x: x - width / 2, y: y - (ascent + descent) / 2 }, font, fill, width);
}

/** A line of text that starts at a point of its upper edge. */
export function textPiece(words: string, { x, y }: Point, font: Font, fill: string, set?: number): Piece {
  const { width, ascent, descent } = sizeOf(words, font);
  const box = { x, y, width: set ?? width, height: ascent + descent };
  return text(words, { x, y: y + ascent, width: box.width }, font, fill, box);
}

interface Written {
  readonly words: string;
  readonly rect: DOMRect;
}

/** The lines of a text of the page; text beyond `limit` is cut with an ellipsis, as on the page. */
export function measureText(node: Text, style: CSSStyleDeclaration, origin: Point, limit: number): readonly Piece[] {
  const fill = colorOf(style.color);
  if (!fill || !node.data.trim()) return [];
  const font = fontOf(style);
  return linesOf(node).flatMap(({ words, rect }) => {
    const shown = cut(style.textTransform === 'uppercase' ? words.toUpperCase() : words, rect, font, limit);
    if (shown === '') return [];
    const { width: whole, height } = rect;
    const [x, y] = [rect.left + origin.x, rect.top + origin.y];
    const { width, ascent } = sizeOf(shown, font);
    const box = { x, y, width: shown.endsWith('…') ? width : whole, height };
    // Browsers place lines at whole font pixels.
    return [text(shown, { x, y: y + Math.round(ascent), width: box.width }, font, fill, box)];
  });
}

function cut(words: string, { left, right }: DOMRect, font: Font, limit: number): string {
  if (right <= limit + 0.5) return words;
  if (left >= limit) return '';
  let start = words;
  while (start && left + widthOf(`${start.trimEnd()}…`, font) > limit) start = start.slice(0, -1);
  return `${start.trimEnd()}…`;
}

function linesOf(node: Text): readonly Written[] {
  const range = document.createRange();
  const { data } = node;
  // Spaces at the ends take space but are not drawn.
  const between = (first: number, last: number): Written => {
    const part = data.slice(first, last);
    range.setStart(node, first + part.length - part.trimStart().length);
    range.setEnd(node, first + part.trimEnd().length);
    return { words: part.replace(/\s+/g, ' ').trim(), rect: range.getBoundingClientRect() };
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
  return lines.map(({ first, last }) => between(first, last)).filter(({ words }) => words !== '');
}
