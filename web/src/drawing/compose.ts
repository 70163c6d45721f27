import { type Colour, type Drawing, extentOf, type Font, type Item, type TextItem } from './drawing';
import { plainText, widthOf } from './measure-text';

/** A sign of the picture as it looks, drawn into a square of SIGN pixels, and what it means. */
export interface Sign {
  readonly sample: readonly Item[];
  readonly words: string;
}

export interface Caption {
  /** Empty: the picture has none. */
  readonly title: string;
  /** Of what problem it is; empty: it does not say. */
  readonly line: string;
  readonly signs: readonly Sign[];
  /** What a frame of a process shows: one line, whatever its length, so that all frames have one size. */
  readonly sentence?: string;
}

export interface Tones {
  readonly paper: Colour;
  readonly ink: Colour;
  readonly soft: Colour;
  /** Of the page's words. */
  readonly family: string;
}

export const SIGN = 14;

const MARGIN = 16;
/** From the words to the picture. */
const GAP = 12;
const LINE = 18;
/** So wide is what stands above and below a small picture. */
const LEAST = 300;

/** What was measured, cropped, with a title above it and the meaning of its signs below. */
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
  // By whole pixels: lines that were sharp stay so.
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

/** Lines of whole words that fit. */
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
  ink: Colour,
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

/** A group of its own, at another place. */
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
