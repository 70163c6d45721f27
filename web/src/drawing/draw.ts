import type { Box, Drawing, GroupItem, Hatching, Item, Line, Paint, PathItem, RectItem, TextItem } from './drawing';
import { cssFont } from './font';

/** Drawing that works on page canvases and worker canvases. */
type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** Draws into the upper left corner; `scale`: canvas pixels for each CSS pixel. */
export function draw(context: Context, { width, height, background, items }: Drawing, scale: number): void {
  context.save();
  context.scale(scale, scale);
  context.fillStyle = background;
  context.fillRect(0, 0, Math.ceil(width), Math.ceil(height));
  for (const item of items) drawItem(context, item);
  context.restore();
}

function drawItem(context: Context, item: Item): void {
  switch (item.kind) {
    case 'rect':
      drawRect(context, item);
      break;
    case 'path':
      drawPath(context, item);
      break;
    case 'text':
      drawText(context, item);
      break;
    case 'image':
      context.imageSmoothingEnabled = !item.squares;
      context.imageSmoothingQuality = 'high';
      context.drawImage(item.pixels, item.box.x, item.box.y, item.box.width, item.box.height);
      break;
    case 'group':
      drawGroup(context, item);
      break;
  }
}

function drawPath(context: Context, { d, box, matrix, fill, line }: PathItem): void {
  context.save();
  context.transform(...matrix);
  const path = new Path2D(d);
  if (typeof fill === 'string') {
    context.fillStyle = fill;
    context.fill(path);
  } else if (fill) hatchPath(context, path, fill, box, matrix);
  if (line) {
    prepare(context, line);
    context.stroke(path);
  }
  context.restore();
}

function drawGroup(context: Context, { clip, opacity, items }: GroupItem): void {
  context.save();
  if (clip) {
    context.beginPath();
    rectPath(context, clip, 0);
    context.clip();
  }
  // Overlapping parts of a translucent group would show through; no group has any.
  context.globalAlpha *= opacity;
  for (const item of items) drawItem(context, item);
  context.restore();
}

function rectPath(context: Context, { x, y, width, height }: Box, radius: number): void {
  if (radius > 0) context.roundRect(x, y, width, height, radius);
  else context.rect(x, y, width, height);
}

function drawRect(context: Context, { box, radius = 0, fill, line }: RectItem): void {
  if (fill) {
    context.beginPath();
    rectPath(context, box, radius);
    fillPath(context, fill, box);
  }
  if (!line) return;
  context.save();
  prepare(context, line);
  context.beginPath();
  rectPath(context, box, radius);
  context.stroke();
  context.restore();
}

function fillPath(context: Context, fill: Paint, box: Box): void {
  if (typeof fill === 'string' || fill.kind === 'ramp') {
    context.fillStyle = typeof fill === 'string' ? fill : rampOf(context, fill, box);
    context.fill();
    return;
  }
  context.save();
  context.clip();
  context.translate(box.x, box.y);
  if (fill.kind === 'hatching') hatch(context, fill, { ...box, x: 0, y: 0 });
  else {
    const { pitch, radius, color } = fill;
    context.fillStyle = color;
    context.beginPath();
    for (let y = pitch / 2; y - radius < box.height; y += pitch) {
      for (let x = pitch / 2; x - radius < box.width; x += pitch) {
        context.moveTo(x + radius, y);
        context.arc(x, y, radius, 0, 2 * Math.PI);
      }
    }
    context.fill();
  }
  context.restore();
}

function rampOf(context: Context, { stops }: Extract<Paint, { kind: 'ramp' }>, { x, width }: Box): CanvasGradient {
  const gradient = context.createLinearGradient(x, 0, x + width, 0);
  for (const { at, color } of stops) gradient.addColorStop(at, color);
  return gradient;
}

/** Lines with constant x + y that intersect the box. */
function hatch(context: Context, { color, spacing, first, width: wide }: Hatching, box: Box): void {
  const { x, y, width, height } = box;
  const step = spacing * Math.SQRT2;
  const from = Math.floor((x + y) / step) * step + first * Math.SQRT2;
  context.strokeStyle = color;
  context.lineWidth = wide;
  context.beginPath();
  for (let sum = from; sum < x + y + width + height + step; sum += step) {
    context.moveTo(sum - y, y);
    context.lineTo(sum - y - height, y + height);
  }
  context.stroke();
}

function hatchPath(context: Context, path: Path2D, hatching: Hatching, box: Box, matrix: readonly number[]): void {
  const [, , , , e = 0, f = 0] = matrix;
  context.save();
  context.clip(path);
  hatch(context, hatching, { ...box, x: box.x - e, y: box.y - f });
  context.restore();
}

function prepare(context: Context, { color, width, dash = [], cap = 'butt', join = 'miter' }: Line): void {
  context.strokeStyle = color;
  context.lineWidth = width;
  context.setLineDash([...dash]);
  context.lineCap = cap;
  context.lineJoin = join;
}

function drawText(context: Context, { text, x, y, width, matrix, font, fill }: TextItem): void {
  context.save();
  if (matrix) context.transform(...matrix);
  context.font = cssFont(font);
  context.textAlign = 'left';
  context.textBaseline = 'alphabetic';
  context.fillStyle = fill;
  // A canvas may use another font: the text keeps its width, as in SVG.
  const natural = context.measureText(text).width;
  context.translate(x, y);
  if (text.length > 1 && natural > 0) context.scale(width / natural, 1);
  context.fillText(text, 0, 0);
  context.restore();
}
