import { DOT_RADIUS, PITCH } from '../ui/color-scale';
import { colorOf } from './colors';
import { type Box, grow, type Item, type Line, type Paint } from './drawing';

/** The background, borders and outline of an element. */

export function measureBox(style: CSSStyleDeclaration, box: Box, focused: boolean): readonly Item[] {
  const radius = lengthOf(style.borderTopLeftRadius);
  const rounded = radius > 0 ? { radius: Math.min(radius, box.width / 2, box.height / 2) } : {};
  return [
    ...shadowsOf(style.boxShadow, box, false, radius),
    ...groundsOf(style).map((fill): Item => ({ kind: 'rect', box, ...rounded, fill })),
    ...shadowsOf(style.boxShadow, box, true, radius),
    ...bordersOf(style, box, rounded.radius ?? 0),
    // A focus outline is not part of the figure.
    ...(focused ? [] : outlineOf(style, box, radius)),
  ];
}

export const lengthOf = (css: string): number => Number.parseFloat(css) || 0;

/** Commas outside of brackets. */
const LISTED = /,(?![^(]*\))/;
const COLOR = /(?:rgba?|oklch|oklab|color|hsla?)\([^)]*\)|#[\da-f]{3,8}\b/gi;

function groundsOf({ backgroundColor, backgroundImage, backgroundSize, backgroundPositionX }: CSSStyleDeclaration) {
  const plain = colorOf(backgroundColor);
  const grounds: Paint[] = plain ? [plain] : [];
  if (backgroundImage === 'none') return grounds;
  const [first = '', ...rest] = (backgroundImage.match(COLOR) ?? []).map(colorOf);
  if (backgroundImage.startsWith('radial-gradient')) {
    if (first) grounds.push({ kind: 'dots', color: first, pitch: PITCH, radius: DOT_RADIUS });
  } else if (backgroundImage.startsWith('repeating-linear-gradient')) {
    // A line of one pixel at the start of each tile.
    if (first) grounds.push({ kind: 'hatching', color: first, spacing: PITCH / Math.SQRT2, first: 0.5, width: 1 });
  } else {
    const stops = [first, ...rest].flatMap((color, i, { length }) =>
      color ? [{ at: i / Math.max(1, length - 1), color }] : [],
    );
    // The upper half only: the background is twice as wide and aligned to its end.
    const half = backgroundSize.startsWith('200%') && backgroundPositionX === '100%';
    const shown = half
      ? stops.filter(({ at }) => at >= 0.5).map(({ at, color }) => ({ at: 2 * at - 1, color }))
      : stops;
    if (shown.length > 1) grounds.push({ kind: 'ramp', stops: shown });
  }
  return grounds;
}

/** Sharp shadows are lines; soft shadows are left out. */
function shadowsOf(css: string, box: Box, inset: boolean, radius: number): readonly Item[] {
  if (css === 'none') return [];
  return css.split(LISTED).flatMap((shadow): readonly Item[] => {
    if (shadow.includes('inset') !== inset) return [];
    const [written = ''] = shadow.match(COLOR) ?? [];
    const color = colorOf(written);
    const [x = 0, y = 0, blur = 0, spread = 0] = (shadow.replace(written, '').match(/-?[\d.]+px/g) ?? []).map(lengthOf);
    if (!color || blur > 0) return [];
    if (x === 0 && y === 0)
      return spread > 0 ? [edge(box, ((inset ? -1 : 1) * spread) / 2, color, spread, radius)] : [];
    return inset && spread === 0 ? strips(box, x, y).map((strip) => ({ kind: 'rect', box: strip, fill: color })) : [];
  });
}

/** A line around a box at this distance from it, with rounded corners if the box has them. */
const edge = (box: Box, out: number, color: string, width: number, radius: number): Item => ({
  kind: 'rect',
  box: grow(box, out),
  ...(radius > 0 ? { radius: Math.max(0, radius + out) } : {}),
  line: { color, width },
});

/** The visible part of an inset shadow with this offset: a strip above or below, and one at a side. */
function strips({ x, y, width, height }: Box, right: number, down: number): readonly Box[] {
  const [wide, tall] = [Math.abs(right), Math.abs(down)];
  const lying = { x, y: down < 0 ? y + height - tall : y, width, height: tall };
  const standing = {
    x: right < 0 ? x + width - wide : x,
    y: down < 0 ? y : y + tall,
    width: wide,
    height: height - tall,
  };
  return [lying, standing].filter((strip) => strip.width > 0 && strip.height > 0);
}

const SIDES = ['Top', 'Right', 'Bottom', 'Left'] as const;

function bordersOf(style: CSSStyleDeclaration, box: Box, radius: number): readonly Item[] {
  const lines = SIDES.map((side): Line | null => {
    const width = lengthOf(style[`border${side}Width`]);
    const kind = style[`border${side}Style`];
    const color = width > 0 && kind !== 'none' && kind !== 'hidden' ? colorOf(style[`border${side}Color`]) : null;
    if (!color) return null;
    return { color, width, ...(kind === 'dashed' ? { dash: [2 * width, 2 * width] } : {}) };
  });
  const [top, right, bottom, left] = lines;
  if (top && [right, bottom, left].every((line) => line?.color === top.color && line.width === top.width)) {
    return [{ kind: 'rect', box: grow(box, -top.width / 2), radius: Math.max(0, radius - top.width / 2), line: top }];
  }
  const { x, y, width, height } = box;
  const strip = (line: Line | null | undefined, at: (width: number) => Box): readonly Item[] =>
    line ? [{ kind: 'rect', box: at(line.width), fill: line.color }] : [];
  return [
    ...strip(top, (w) => ({ x, y, width, height: w })),
    ...strip(right, (w) => ({ x: x + width - w, y, width: w, height })),
    ...strip(bottom, (w) => ({ x, y: y + height - w, width, height: w })),
    ...strip(left, (w) => ({ x, y, width: w, height })),
  ];
}

function outlineOf(
  { outlineStyle, outlineWidth, outlineOffset, outlineColor }: CSSStyleDeclaration,
  box: Box,
  radius: number,
) {
  const width = lengthOf(outlineWidth);
  const color = outlineStyle === 'solid' || outlineStyle === 'double' ? colorOf(outlineColor) : null;
  if (!color || width <= 0) return [];
  const from = lengthOf(outlineOffset);
  if (outlineStyle === 'solid') return [edge(box, from + width / 2, color, width, radius)];
  const third = width / 3;
  return [edge(box, from + third / 2, color, third, radius), edge(box, from + width - third / 2, color, third, radius)];
}
