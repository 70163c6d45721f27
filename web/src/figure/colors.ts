/** "#rrggbb", or "#rrggbbaa" if translucent. */
export type Color = string;

const known = new Map<string, Color | null>();
let paper: CanvasRenderingContext2D | null = null;

/** A CSS color as hex; null: fully transparent. */
export function colorOf(css: string): Color | null {
  const found = known.get(css);
  if (found !== undefined) return found;
  const color = hexOf(channelsOf(css));
  known.set(css, color);
  return color;
}

/** The same, with its opacity multiplied. */
export function faded(color: Color | null, share: number): Color | null {
  if (!color || share >= 1) return color;
  const alpha = color.length > 7 ? Number.parseInt(color.slice(7), 16) : 255;
  const left = Math.round(alpha * share);
  return left > 0 ? color.slice(0, 7) + byte(left) : null;
}

type Channels = readonly [number, number, number, number];

const RGB = /^rgba?\(\s*([\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)(?:\s*[,/]\s*([\d.]+)(%?))?\s*\)$/;

function channelsOf(css: string): Channels {
  const [, r, g, b, a = '1', percent] = RGB.exec(css) ?? [];
  if (r !== undefined) return [Number(r), Number(g), Number(b), 255 * (percent ? Number(a) / 100 : Number(a))];
  // Converts colors of other color spaces by drawing a pixel.
  paper ??= Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', {
    willReadFrequently: true,
  });
  if (!paper) return [0, 0, 0, 255];
  paper.clearRect(0, 0, 1, 1);
  paper.fillStyle = css;
  paper.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = paper.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, alpha];
}

function hexOf([r, g, b, a]: Channels): Color | null {
  const alpha = Math.round(a);
  if (alpha <= 0) return null;
  return `#${byte(r)}${byte(g)}${byte(b)}${alpha < 255 ? byte(alpha) : ''}`;
}

const byte = (value: number): string => Math.round(value).toString(16).padStart(2, '0');
