import { DARK_INK } from '../ui/color-scale';
import { type Color, colorOf } from './colors';
import { textPiece, widthOf } from './measure-text';
import { type Figure, type Font, joined, moved, type Piece, type Rect, writeSvg } from './svg';

/** A sign of the figure, drawn into a square of SIGN pixels, and its meaning. */
export interface FigureSign {
  readonly sample: Piece;
  readonly words: string;
}

interface Caption {
  /** Empty: no title. */
  readonly title: string;
  /** Name of the problem, or empty. */
  readonly line: string;
  readonly signs: readonly FigureSign[];
  /** Caption of a frame of an animation: one line, so that all frames have the same size. */
  readonly sentence?: string;
}

export const SIGN = 14;

const MARGIN = 16;
/** Distance of the texts from the figure. */
const GAP = 12;
const LINE = 18;
/** Least width of the texts above and below a small figure. */
const LEAST = 300;

/** A measured part, cropped, with a title above and a legend below. */
export function compose(
  measured: Piece,
  { title, line, signs, sentence }: Caption,
  extent: Rect = measured.box,
): Figure {
  const root = getComputedStyle(document.documentElement);
  const tone = (name: string) => colorOf(root.getPropertyValue(`--${name}`).trim()) ?? DARK_INK;
  const [ink, soft] = [tone('ink'), tone('ink-soft')];
  const words: Font = { family: root.getPropertyValue('--sans').trim(), size: 13, weight: '400', italic: false };
  const heading: Font = { ...words, size: 17, weight: '600' };
  const wanted = [
    widthOf(title, heading),
    ...broken(line, words, Math.max(LEAST, extent.width)).map((text) => widthOf(text, words)),
  ];
  const inner = Math.max(extent.width, signs.length > 0 ? LEAST : 0, ...wanted);
  const above: Piece[] = [];
  let y = MARGIN;
  if (title) {
    above.push(textPiece(title, { x: MARGIN, y }, heading, ink));
    y += 24;
  }
  for (const text of line ? broken(line, words, inner) : []) {
    above.push(textPiece(text, { x: MARGIN, y }, words, soft));
    y += LINE;
  }
  if (sentence !== undefined) {
    const width = Math.min(widthOf(sentence, words), inner);
    if (sentence) above.push(textPiece(sentence, { x: MARGIN, y: y + 2 }, words, ink, width));
    y += LINE + 2;
  }
  if (above.length > 0) y += GAP;
  // Moved by whole pixels, so that lines stay sharp.
  const picture = moved(measured, MARGIN - Math.floor(extent.x), y - Math.floor(extent.y));
  y += Math.ceil(extent.height + (extent.y - Math.floor(extent.y)));
  const below = legendOf(signs, words, soft, { top: y + GAP, width: inner });
  return writeSvg(joined([...above, picture, ...below.pieces]), {
    width: inner + 2 * MARGIN,
    height: y + (signs.length > 0 ? GAP + below.height : 0) + MARGIN,
    background: tone('paper'),
    title: title || 'A part of the conv2d playground',
    description: [line, ...signs.map(({ words: each }) => each)].filter(Boolean).join('. '),
  });
}

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
  signs: readonly FigureSign[],
  font: Font,
  ink: Color,
  { top, width }: { readonly top: number; readonly width: number },
) {
  const pieces: Piece[] = [];
  let [x, y] = [MARGIN, top];
  for (const { sample, words } of signs) {
    const wide = SIGN + 7 + widthOf(words, font);
    if (x > MARGIN && x + wide > MARGIN + width) [x, y] = [MARGIN, y + LINE + 2];
    pieces.push(moved(sample, x, y + 1), textPiece(words, { x: x + SIGN + 7, y }, font, ink));
    x += wide + 20;
  }
  return { pieces, height: signs.length > 0 ? y + LINE - top : 0 };
}
