import { type Color, type Drawing, extentOf, type Font, type Item, type TextItem } from './drawing';
import { plainText, widthOf } from './measure-text';

/** A sign of the figure, drawn into a square of SIGN pixels, and its meaning. */
export interface Sign {
  readonly sample: readonly Item[];
  readonly words: string;
}

export interface Caption {
  /** Empty: no title. */
  readonly title: string;
  /** Name of the problem, or empty. */
  readonly line: string;
  readonly signs: readonly Sign[];
  /** Caption of a frame of an animation: one line, so that all frames have the same size. */
  readonly sentence?: string;
}

export interface Tones {
  readonly paper: Color;
  readonly ink: Color;
  readonly soft: Color;
  /** Font of the texts. */
  readonly family: string;
}

export const SIGN = 14;

const MARGIN = 16;
/** Distance of the texts from the figure. */
const GAP = 12;
const LINE = 18;
/** Least width of the texts above and below a small figure. */
const LEAST = 300;

/** A measured drawing, cropped, with a title above and a legend below. */
export function compose(
  measured: readonly Item[],
  { title, line, signs, sentence }: Caption,
  tones: Tones,
  extent = extentOf(measured),
): Drawing {
  const words: Font = { family: tones.family, size: 13, weight: '400', italic: false };
  const heading: Font = { ...words, size: 17, weight: '600' };
  const wanted = [
    widthOf(title, heading),
    ...broken(line, words, Math.max(LEAST, extent.width)).map((text) => widthOf(text, words)),
  ];
  const inner = Math.max(extent.width, signs.length > 0 ? LEAST : 0, ...wanted);
  const above: Item[] = [];
  let y = MARGIN;
  if (title) {
    above.push(plainText(title, { x: MARGIN, y }, heading, tones.ink));
    y += 24;
  }
  for (const text of line ? broken(line, words, inner) : []) {
    above.push(plainText(text, { x: MARGIN, y }, words, tones.soft));
    y += LINE;
  }
  if (sentence !== undefined) {
    if (sentence) above.push(squeezed(plainText(sentence, { x: MARGIN, y: y + 2 }, words, tones.ink), inner));
    y += LINE + 2;
  }
  if (above.length > 0) y += GAP;
  // Moved by whole pixels, so that lines stay sharp.
  const picture = moved(measured, MARGIN - Math.floor(extent.x), y - Math.floor(extent.y));
  y += Math.ceil(extent.height + (extent.y - Math.floor(extent.y)));
  const below = legendOf(signs, words, tones.soft, { top: y + GAP, width: inner });
  return {
    width: inner + 2 * MARGIN,
    height: y + (signs.length > 0 ? GAP + below.height : 0) + MARGIN,
    background: tones.paper,
    title: title || 'A part of the conv2d playground',
    description: [line, ...signs.map(({ words: each }) => each)].filter(Boolean).join('. '),
    items: [...above, picture, ...below.items],
  };
}

const squeezed = (item: TextItem, width: number): TextItem => ({ ...item, width: Math.min(item.width, width) });

/** Breaks a text into lines of whole words. */
function broken(text: string, font: Font, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word;
    if (lines.length > 0 && widthOf(longer, font) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function legendOf(
  signs: readonly Sign[],
  font: Font,
  ink: Color,
  { top, width }: { readonly top: number; readonly width: number },
) {
  const items: Item[] = [];
  let [x, y] = [MARGIN, top];
  for (const { sample, words } of signs) {
    const wide = SIGN + 7 + widthOf(words, font);
    if (x > MARGIN && x + wide > MARGIN + width) [x, y] = [MARGIN, y + LINE + 2];
    items.push(moved(sample, x, y + 1), plainText(words, { x: x + SIGN + 7, y }, font, ink));
    x += wide + 20;
  }
  return { items, height: signs.length > 0 ? y + LINE - top : 0 };
}

/** A group at another position. */
const moved = (items: readonly Item[], x: number, y: number): Item => ({
  kind: 'group',
  clip: null,
  opacity: 1,
  items: items.map((item) => shifted(item, x, y)),
});

function shifted(item: Item, x: number, y: number): Item {
  if (item.kind === 'group') {
    const clip = item.clip && { ...item.clip, x: item.clip.x + x, y: item.clip.y + y };
    return { ...item, clip, items: item.items.map((each) => shifted(each, x, y)) };
  }
  const box = { ...item.box, x: item.box.x + x, y: item.box.y + y };
  if (item.kind === 'path' || (item.kind === 'text' && item.matrix)) {
    const [a, b, c, d, e, f] = item.matrix ?? [1, 0, 0, 1, 0, 0];
    return { ...item, box, matrix: [a, b, c, d, e + x, f + y] };
  }
  return item.kind === 'text' ? { ...item, box, x: item.x + x, y: item.y + y } : { ...item, box };
}
