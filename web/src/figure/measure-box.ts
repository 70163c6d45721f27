import { DOT_RADIUS, PITCH } from '../ui/color-scale';
import { colorOf } from './colors';
import { dots, grow, hatching, type Piece, type Rect, rampPattern, rect, type SvgLine } from './svg';

/** The background, borders and outline of an element. */
export function measureBox(style: CSSStyleDeclaration, box: Rect, focused: boolean): readonly Piece[] {
  const radius = Math.min(lengthOf(style.borderTopLeftRadius), box.width / 2, box.height / 2);
  return [
    ...shadowOf(style, box, radius, false),
    ...groundOf(style, box, radius),
    ...shadowOf(style, box, radius, true),
    ...bordersOf(style, box, radius),
    // A focus outline is not part of the figure.
    ...(focused ? [] : outlineOf(style, box, radius)),
  ];
}

export const lengthOf = (css: string): number => Number.parseFloat(css) || 0;

const COLOR = /(?:rgba?|oklch|oklab|color|hsla?)\([^)]*\)|#[\da-f]{3,8}\b/gi;

/** The color of the background, and its dots, hatching or ramp. */
export function groundOf(style: CSSStyleDeclaration, box: Rect, radius = 0): readonly Piece[] {
  const { backgroundColor, backgroundImage, backgroundSize, backgroundPositionX } = style;
  const colors = (backgroundImage.match(COLOR) ?? []).flatMap((css) => colorOf(css) ?? []);
  const patternOf = (first: string) => {
    if (backgroundImage.startsWith('radial-gradient')) return dots(first, PITCH, DOT_RADIUS);
    // A line of one pixel at the start of each tile.
    if (backgroundImage.startsWith('repeating-linear-gradient')) return hatching(first, PITCH / Math.SQRT2, 0.5, 1);
    // The upper half only: the background is twice as wide and aligned to its end.
    return rampPattern(colors, backgroundSize.startsWith('200%') && backgroundPositionX === '100%' ? 0.5 : 0);
  };
  const [plain, first] = [colorOf(backgroundColor), colors[0]];
  return [...(plain ? [plain] : []), ...(first ? [patternOf(first)] : [])].map((fill) => rect(box, { radius, fill }));
}

/** A line around a box at this distance from it, with rounded corners if the box has them. */
const edge = (box: Rect, out: number, line: SvgLine, radius: number): Piece =>
  rect(grow(box, out), { radius: radius > 0 ? Math.max(0, radius + out) : 0, line });

/** A sharp shadow is a line on all sides, or at the right and the bottom; soft shadows are left out. */
function shadowOf({ boxShadow }: CSSStyleDeclaration, box: Rect, radius: number, inset: boolean): readonly Piece[] {
  const [written = ''] = boxShadow.match(COLOR) ?? [];
  const color = boxShadow.includes('inset') === inset ? colorOf(written) : null;
  const lengths = boxShadow.replace(written, '').match(/-?[\d.]+px/g) ?? [];
  const [x = 0, y = 0, blur = 0, spread = 0] = lengths.map(lengthOf);
  if (boxShadow === 'none' || !color || blur > 0) return [];
  if (spread > 0) return [edge(box, ((inset ? -1 : 1) * spread) / 2, { color, width: spread }, radius)];
  return strips(
    box,
    [0, -x, -y, 0].map((width) => width > 0 && { color, width }),
  );
}

/** Lines at some sides: top, right, bottom, left. Those at the right end above the one at the bottom. */
function strips(
  { x, y, width, height }: Rect,
  [top, right, bottom, left]: readonly (SvgLine | null | false | undefined)[],
): readonly Piece[] {
  const strip = (line: SvgLine | null | false | undefined, at: (width: number) => Rect) =>
    line ? [rect(at(line.width), { fill: line.color })] : [];
  const [above, below] = [top ? top.width : 0, bottom ? bottom.width : 0];
  const sides = { y: y + above, height: height - above - below };
  return [
    ...strip(top, (w) => ({ x, y, width, height: w })),
    ...strip(right, (w) => ({ x: x + width - w, width: w, ...sides })),
    ...strip(bottom, (w) => ({ x, y: y + height - w, width, height: w })),
    ...strip(left, (w) => ({ x, width: w, ...sides })),
  ];
}

function bordersOf(style: CSSStyleDeclaration, box: Rect, radius: number): readonly Piece[] {
  const lines = (['Top', 'Right', 'Bottom', 'Left'] as const).map((side): SvgLine | null => {
    const width = style[`border${side}Style`] === 'none' ? 0 : lengthOf(style[`border${side}Width`]);
    const color = width > 0 ? colorOf(style[`border${side}Color`]) : null;
    return color ? { color, width } : null;
  });
  const [top] = lines;
  if (top && lines.every((line) => line?.color === top.color && line.width === top.width))
    return [edge(box, -top.width / 2, top, radius)];
  return strips(box, lines);
}

function outlineOf(style: CSSStyleDeclaration, box: Rect, radius: number): readonly Piece[] {
  const [width, from, kind] = [lengthOf(style.outlineWidth), lengthOf(style.outlineOffset), style.outlineStyle];
  const color = kind === 'solid' || kind === 'double' ? colorOf(style.outlineColor) : null;
  if (!color || width <= 0) return [];
  if (kind === 'solid') return [edge(box, from + width / 2, { color, width }, radius)];
  const line = { color, width: width / 3 };
  return [edge(box, from + width / 6, line, radius), edge(box, from + (width * 5) / 6, line, radius)];
}
