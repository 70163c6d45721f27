import { DOT_RADIUS, PITCH } from '../ui/palette';
import { colourOf } from './colours';
import { type Box, grow, type Item, type Line, type Paint } from './drawing';

/** What an element draws of itself: its ground, its edges, its frame. */

export function measureBox(style: CSSStyleDeclaration, box: Box, focused: boolean): readonly Item[] {
  const radius = lengthOf(style.borderTopLeftRadius);
  const rounded = radius > 0 ? { radius: Math.min(radius, box.width / 2, box.height / 2) } : {};
  return [
    ...shadowsOf(style.boxShadow, box, false, radius),
    ...groundsOf(style).map((fill): Item => ({ kind: 'rect', box, ...rounded, fill })),
    ...shadowsOf(style.boxShadow, box, true, radius),
    ...bordersOf(style, box, rounded.radius ?? 0),
    // Where the keyboard is, is no part of the picture.
    ...(focused ? [] : outlineOf(style, box, radius)),
  ];
}

export const lengthOf = (css: string): number => Number.parseFloat(css) || 0;

/** Commas that stand in no bracket. */
const LISTED = /,(?![^(]*\))/;
const COLOUR = /(?:rgba?|oklch|oklab|color|hsla?)\([^)]*\)|#[\da-f]{3,8}\b/gi;

function groundsOf({ backgroundColor, backgroundImage, backgroundSize, backgroundPositionX }: CSSStyleDeclaration) {
  const plain = colourOf(backgroundColor);
  const grounds: Paint[] = plain ? [plain] : [];
  if (backgroundImage === 'none') return grounds;
  const [first = '', ...rest] = (backgroundImage.match(COLOUR) ?? []).map(colourOf);
  if (backgroundImage.startsWith('radial-gradient')) {
    if (first) grounds.push({ kind: 'dots', colour: first, pitch: PITCH, radius: DOT_RADIUS });
  } else if (backgroundImage.startsWith('repeating-linear-gradient')) {
    // A line of one pixel at the beginning of each stretch.
    if (first) grounds.push({ kind: 'hatching', colour: first, spacing: PITCH / Math.SQRT2, first: 0.5, width: 1 });
  } else {
    const stops = [first, ...rest].flatMap((colour, i, { length }) =>
      colour ? [{ at: i / Math.max(1, length - 1), colour }] : [],
    );
    // The upper half alone: the ground is twice as wide and lies at its end.
    const half = backgroundSize.startsWith('200%') && backgroundPositionX === '100%';
    const shown = half
      ? stops.filter(({ at }) => at >= 0.5).map(({ at, colour }) => ({ at: 2 * at - 1, colour }))
      : stops;
    if (shown.length > 1) grounds.push({ kind: 'ramp', stops: shown });
  }
  return grounds;
}

/** Shadows with sharp edges are lines; soft ones only lift something off a screen. */
function shadowsOf(css: string, box: Box, inset: boolean, radius: number): readonly Item[] {
  if (css === 'none') return [];
  return css.split(LISTED).flatMap((shadow): readonly Item[] => {
    if (shadow.includes('inset') !== inset) return [];
    const [written = ''] = shadow.match(COLOUR) ?? [];
    const colour = colourOf(written);
    const [x = 0, y = 0, blur = 0, spread = 0] = (shadow.replace(written, '').match(/-?[\d.]+px/g) ?? []).map(lengthOf);
    if (!colour || blur > 0) return [];
    if (x === 0 && y === 0)
      return spread > 0 ? [edge(box, ((inset ? -1 : 1) * spread) / 2, colour, spread, radius)] : [];
    return inset && spread === 0 ? strips(box, x, y).map((strip) => ({ kind: 'rect', box: strip, fill: colour })) : [];
  });
}

/** A line around a box, its middle so far outside; round where the box is. */
const edge = (box: Box, out: number, colour: string, width: number, radius: number): Item => ({
  kind: 'rect',
  box: grow(box, out),
  ...(radius > 0 ? { radius: Math.max(0, radius + out) } : {}),
  line: { colour, width },
});

/** What a shadow shows inside of a box that it is moved in by so much: a strip below or above, and one beside. */
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
    const colour = width > 0 && kind !== 'none' && kind !== 'hidden' ? colourOf(style[`border${side}Color`]) : null;
    if (!colour) return null;
    return { colour, width, ...(kind === 'dashed' ? { dash: [2 * width, 2 * width] } : {}) };
  });
  const [top, right, bottom, left] = lines;
  if (top && [right, bottom, left].every((line) => line?.colour === top.colour && line.width === top.width)) {
    return [{ kind: 'rect', box: grow(box, -top.width / 2), radius: Math.max(0, radius - top.width / 2), line: top }];
  }
  const { x, y, width, height } = box;
  const strip = (line: Line | null | undefined, at: (width: number) => Box): readonly Item[] =>
    line ? [{ kind: 'rect', box: at(line.width), fill: line.colour }] : [];
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
  const colour = outlineStyle === 'solid' || outlineStyle === 'double' ? colourOf(outlineColor) : null;
  if (!colour || width <= 0) return [];
  const from = lengthOf(outlineOffset);
  if (outlineStyle === 'solid') return [edge(box, from + width / 2, colour, width, radius)];
  const third = width / 3;
  return [
    edge(box, from + third / 2, colour, third, radius),
    edge(box, from + width - third / 2, colour, third, radius),
  ];
}
