import type { Color, Drawing, Font, Item, Line, Matrix, Paint, Pixels } from './drawing';

/**
 * Writes a drawing as an SVG file: self-contained, without scripts, with real texts. A translucent color is written as
 * color and opacity, for programs without CSS color support.
 */
export function writeSvg(drawing: Drawing, encode: (pixels: Pixels) => string): string {
  const { width, height, background, title, description, items } = drawing;
  const patterns = new Map<string, string>();
  const body = items.map((item) => writeItem(item, patterns, encode)).join('\n');
  const [w, h] = [short(Math.ceil(width)), short(Math.ceil(height))];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" role="img" aria-labelledby="title desc" text-rendering="geometricPrecision" style="font-variant-numeric:tabular-nums">`,
    `<title id="title">${escaped(title)}</title>`,
    `<desc id="desc">${escaped(description)}</desc>`,
    ...(patterns.size > 0 ? [`<defs>${[...patterns.values()].join('')}</defs>`] : []),
    `<rect width="${w}" height="${h}"${filled(background)}/>`,
    body,
    '</svg>',
    '',
  ].join('\n');
}

type Patterns = Map<string, string>;

function writeItem(item: Item, patterns: Patterns, encode: (pixels: Pixels) => string): string {
  switch (item.kind) {
    case 'rect': {
      const { box, radius = 0, fill, line } = item;
      const place = `width="${short(box.width)}" height="${short(box.height)}"${radius > 0 ? ` rx="${short(radius)}"` : ''}`;
      // A pattern starts at the corner of the filled area: its corner is the origin.
      const at =
        typeof fill === 'object'
          ? `transform="translate(${short(box.x)} ${short(box.y)})"`
          : `x="${short(box.x)}" y="${short(box.y)}"`;
      return `<rect ${at} ${place}${painted(fill, patterns)}${line ? stroked(line) : ''}/>`;
    }
    case 'path':
      return `<path d="${escaped(item.d)}"${moved(item.matrix)}${painted(item.fill, patterns)}${item.line ? stroked(item.line) : ''}/>`;
    case 'text': {
      const { text, x, y, width, matrix, font, fill } = item;
      // textLength keeps the width in another font.
      const kept = text.length > 1 ? ` textLength="${short(width)}" lengthAdjust="spacingAndGlyphs"` : '';
      return `<text x="${short(x)}" y="${short(y)}"${matrix ? moved(matrix) : ''}${kept}${written(font)}${filled(fill)}>${escaped(text)}</text>`;
    }
    case 'image': {
      const { box, pixels, squares } = item;
      const place = `x="${short(box.x)}" y="${short(box.y)}" width="${short(box.width)}" height="${short(box.height)}"`;
      const edges = squares ? ' style="image-rendering:pixelated"' : '';
      return `<image ${place} preserveAspectRatio="none"${edges} href="${encode(pixels)}"/>`;
    }
    case 'group': {
      const { clip, opacity, items } = item;
      const inside = items.map((each) => writeItem(each, patterns, encode)).join('\n');
      return `<g${clip ? ` clip-path="url(#${clipping(clip, patterns)})"` : ''}${opacity < 1 ? ` opacity="${short(opacity)}"` : ''}>\n${inside}\n</g>`;
    }
  }
}

/** Defined once for equal content. */
function named(patterns: Patterns, key: string, make: (id: string) => string): string {
  const names = [...patterns.keys()];
  const known = names.indexOf(key);
  const id = `p${known < 0 ? names.length : known}`;
  if (known < 0) patterns.set(key, make(id));
  return id;
}

const clipping = (
  { x, y, width, height }: Extract<Item, { kind: 'group' }>['clip'] & object,
  patterns: Patterns,
): string => {
  const box = `x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}"`;
  return named(patterns, `clip ${box}`, (id) => `<clipPath id="${id}"><rect ${box}/></clipPath>`);
};

function painted(paint: Paint | undefined, patterns: Patterns): string {
  if (!paint) return ' fill="none"';
  return typeof paint === 'string'
    ? filled(paint)
    : ` fill="url(#${named(patterns, JSON.stringify(paint), (id) => patternOf(paint, id))})"`;
}

function patternOf(paint: Exclude<Paint, Color>, id: string): string {
  switch (paint.kind) {
    case 'dots': {
      const { pitch, radius, color } = paint;
      return `<pattern id="${id}" width="${pitch}" height="${pitch}" patternUnits="userSpaceOnUse"><circle cx="${pitch / 2}" cy="${pitch / 2}" r="${radius}"${filled(color)}/></pattern>`;
    }
    case 'hatching': {
      const side = short(paint.spacing);
      const line = `<path d="M${short(paint.first)} 0V${side}"${stroked({ color: paint.color, width: paint.width })}/>`;
      return `<pattern id="${id}" width="${side}" height="${side}" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">${line}</pattern>`;
    }
    default: {
      const stops = paint.stops.map(({ at, color }) => `<stop offset="${short(at)}"${stopped(color)}/>`).join('');
      return `<linearGradient id="${id}">${stops}</linearGradient>`;
    }
  }
}

/** Numbers with three decimals. */
const short = (value: number): string => String(Math.round(value * 1000) / 1000);

const moved = (matrix: Matrix): string => {
  const [a, b, c, d, e, f] = matrix;
  if (a === 1 && b === 0 && c === 0 && d === 1) return ` transform="translate(${short(e)} ${short(f)})"`;
  return ` transform="matrix(${matrix.map(short).join(' ')})"`;
};

/** The opacity of a color; empty if opaque. */
const shareOf = (color: Color): string => (color.length > 7 ? short(Number.parseInt(color.slice(7), 16) / 255) : '');
const colored = (name: string, share: string, color: Color): string =>
  ` ${name}="${color.slice(0, 7)}"${shareOf(color) && ` ${share}="${shareOf(color)}"`}`;
const filled = (color: Color): string => colored('fill', 'fill-opacity', color);
const stopped = (color: Color): string => colored('stop-color', 'stop-opacity', color);

function stroked({ color, width, dash, cap, join }: Line): string {
  const [dashes, ends, corners] = [
    dash ? ` stroke-dasharray="${dash.map(short).join(' ')}"` : '',
    cap ? ` stroke-linecap="${cap}"` : '',
    join ? ` stroke-linejoin="${join}"` : '',
  ];
  return `${colored('stroke', 'stroke-opacity', color)} stroke-width="${short(width)}"${dashes}${ends}${corners}`;
}

function written({ family, size, weight, italic }: Font): string {
  const heavy = weight === '400' ? '' : ` font-weight="${escaped(weight)}"`;
  return ` font-family="${escaped(family.replaceAll('"', "'"))}" font-size="${short(size)}"${heavy}${italic ? ' font-style="italic"' : ''}`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML does not allow control characters. */
const escaped = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '').replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? '');
