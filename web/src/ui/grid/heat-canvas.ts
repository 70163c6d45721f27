import { signal } from '@preact/signals';
import {
  type ColorScale,
  DOT_RADIUS,
  GRID_COLORS,
  lutIndex,
  lutOf,
  madeOnce,
  onMap,
  PITCH,
  type Theme,
} from '../color-scale';
import { fitCellTexts, MIN_TEXT_CELL } from '../numbers';
import { type GridData, type Ring, type Spot, type Viewport, valueAt, wholeView } from './grid-data';
import { canvasStrips, resize, type Strip } from './pixels';

export interface HeatImage {
  readonly data: GridData;
  readonly scale: ColorScale;
  readonly theme: Theme;
  /** One pixel per cell with data, positioned by stripsOf; empty for a sparse matrix. */
  readonly pixels: OffscreenCanvas;
}

/** Number of maps on the page. */
export const mapsShown = signal(0);

/** Smaller cells are drawn without lines between them. */
const LINES_FROM = 7;

export function drawHeat(canvas: HTMLCanvasElement, image: HeatImage, view: Viewport): void {
  drawMap(canvas, image, view, window.devicePixelRatio || 1);
  const context = canvas.getContext('2d');
  if (context) drawTexts(context, canvasTextsOf(image, view));
}

/** The same without text, with `ratio` canvas pixels per CSS pixel. */
export function drawMap(canvas: HTMLCanvasElement, image: HeatImage, view: Viewport, ratio: number): void {
  // At least 1: a row of 4096 cells is less than a pixel high, and createPattern needs a nonempty canvas.
  resize(canvas, Math.max(1, Math.round(view.width * ratio)), Math.max(1, Math.round(view.height * ratio)));
  const context = canvas.getContext('2d');
  if (!context) return;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, view.width, view.height);
  drawRing(context, image, view, ratio);

  const { data, pixels } = image;
  // Magnified cells stay square; cells smaller than a pixel are averaged, so that fine lines do not flicker.
  context.imageSmoothingEnabled = view.cell < 1;
  context.imageSmoothingQuality = 'high';
  const visible = visibleCells(data, view);
  if (data.indexOf) drawEntries(context, image, data.indexOf, view, visible);
  else for (const strip of canvasStrips(data.rows, data.cols)) drawStrip(context, pixels, strip, view);
  if (view.cell < LINES_FROM) return;
  for (const [isOne, kind] of [[data.padded, 'dots'] as const, [data.inserted, 'hatching'] as const]) {
    if (!isOne) continue;
    cellsPath(context, view, visible, isOne);
    fillZeros(context, image.theme, kind, ratio);
  }
  drawLines(context, image.theme, view, visible);
}

/** Draws the visible part of a strip, with a margin of one cell for smoothing. */
function drawStrip(context: CanvasRenderingContext2D, pixels: OffscreenCanvas, strip: Strip, view: Viewport) {
  const top = Math.max(strip.row, Math.floor(view.row) - 1);
  const left = Math.max(strip.col, Math.floor(view.col) - 1);
  const rows = Math.min(strip.row + strip.rows, Math.ceil(view.row + view.height / view.cell) + 1) - top;
  const cols = Math.min(strip.col + strip.cols, Math.ceil(view.col + view.width / view.cell) + 1) - left;
  if (rows <= 0 || cols <= 0) return;
  context.drawImage(
    pixels,
    strip.x + left - strip.col,
    strip.y + top - strip.row,
    cols,
    rows,
    (left - view.col) * view.cell,
    (top - view.row) * view.cell,
    cols * view.cell,
    rows * view.cell,
  );
}

/** Draws the visible entries of a sparse matrix, each on whole pixels so that there are no seams. */
function drawEntries(
  context: CanvasRenderingContext2D,
  { data: { values }, scale, theme }: HeatImage,
  indexOf: (row: number, col: number) => number,
  view: Viewport,
  { top, bottom, left, right }: Ring,
) {
  const lut = lutOf(theme, onMap(scale.ramp));
  const edge = (cells: number) => Math.round(cells * view.cell);
  for (let row = top; row < bottom; row += 1) {
    const y = edge(row - view.row);
    const height = Math.max(1, edge(row + 1 - view.row) - y);
    for (let col = left; col < right; col += 1) {
      const at = indexOf(row, col);
      if (at < 0) continue;
      const x = edge(col - view.col);
      context.fillStyle = lut.css[lutIndex(values[at] ?? 0, scale)] ?? '';
      context.fillRect(x, y, Math.max(1, edge(col + 1 - view.col) - x), height);
    }
  }
}

export function visibleCells({ rows, cols, ring }: GridData, view: Viewport): Ring {
  return {
    top: Math.max(-ring.top, Math.floor(view.row)),
    bottom: Math.min(rows + ring.bottom, Math.ceil(view.row + view.height / view.cell)),
    left: Math.max(-ring.left, Math.floor(view.col)),
    right: Math.min(cols + ring.right, Math.ceil(view.col + view.width / view.cell)),
  };
}

function drawRing(context: CanvasRenderingContext2D, { data, theme }: HeatImage, view: Viewport, ratio: number) {
  const { ring } = data;
  if (ring.top + ring.bottom + ring.left + ring.right === 0) return;
  const whole = wholeView(data, view.cell);
  context.beginPath();
  context.rect((whole.col - view.col) * view.cell, (whole.row - view.row) * view.cell, whole.width, whole.height);
  fillZeros(context, theme, 'dots', ratio);
}

function cellsPath(
  context: CanvasRenderingContext2D,
  view: Viewport,
  { top, bottom, left, right }: Ring,
  isOne: (cell: Spot) => boolean,
) {
  context.beginPath();
  for (let row = top; row < bottom; row += 1) {
    for (let col = left; col < right; col += 1) {
      if (!isOne({ row, col })) continue;
      context.rect((col - view.col) * view.cell, (row - view.row) * view.cell, view.cell, view.cell);
    }
  }
}

/** As that of cells that are elements (app/deferred/contrast.css). */
const lineColor = (theme: Theme) =>
  matchMedia('(prefers-contrast: more)').matches
    ? getComputedStyle(document.documentElement).getPropertyValue('--line-strong')
    : GRID_COLORS[theme]['cell-line'];

function drawLines(context: CanvasRenderingContext2D, theme: Theme, view: Viewport, visible: Ring) {
  context.strokeStyle = lineColor(theme);
  context.lineWidth = 1;
  context.beginPath();
  const x = (col: number) => (col - view.col) * view.cell;
  const y = (row: number) => (row - view.row) * view.cell;
  for (let row = visible.top; row <= visible.bottom; row += 1) {
    context.moveTo(x(visible.left), y(row));
    context.lineTo(x(visible.right), y(row));
  }
  for (let col = visible.left; col <= visible.right; col += 1) {
    context.moveTo(x(col), y(visible.top));
    context.lineTo(x(col), y(visible.bottom));
  }
  context.stroke();
}

/** The values as text, if the cells are large enough. */
export function canvasTextsOf({ data, scale, theme }: HeatImage, view: Viewport): readonly CanvasText[] {
  if (view.cell < MIN_TEXT_CELL) return [];
  const visible = visibleCells(data, view);
  const lut = lutOf(theme, onMap(scale.ramp));
  const cells = [];
  for (let row = Math.max(0, visible.top); row < Math.min(data.rows, visible.bottom); row += 1) {
    for (let col = Math.max(0, visible.left); col < Math.min(data.cols, visible.right); col += 1) {
      if (data.padded?.({ row, col }) || (data.indexOf && data.indexOf(row, col) < 0)) continue;
      cells.push({ row, col, value: valueAt(data, { row, col }) });
    }
  }
  const { texts, font } = fitCellTexts(
    cells.map(({ value }) => value),
    view.cell,
  );
  return cells.map(({ row, col, value }, i) => ({
    text: texts[i] ?? '',
    ink: lut.ink[lutIndex(value, scale)] ?? '',
    size: font,
    x: (col + 0.5 - view.col) * view.cell,
    y: (row + 0.5 - view.row) * view.cell,
  }));
}

export const TEXT_FAMILY = 'system-ui, sans-serif';

function drawTexts(context: CanvasRenderingContext2D, figures: readonly CanvasText[]) {
  // Setting a font costs a recalculation of the styles of the page.
  if (figures.length === 0) return;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  // All have the same size.
  context.font = `${figures[0]?.size ?? 0}px ${TEXT_FAMILY}`;
  for (const { text, x, y, ink } of figures) {
    context.fillStyle = ink;
    context.fillText(text, x, y);
  }
}

/** Patterns of zeros that are not data, on a canvas; as in number-grid.css. */
type ZeroKind = 'dots' | 'hatching';

const tiles = new Map<string, OffscreenCanvas>();

/** Fills the context's path with the background of such zeros, and with dots or hatching. */
function fillZeros(context: CanvasRenderingContext2D, theme: Theme, kind: ZeroKind, ratio: number) {
  context.fillStyle = GRID_COLORS[theme].padding;
  context.fill();
  const tile = madeOnce(tiles, `${theme} ${kind} ${ratio}`, () => newTile(theme, kind, ratio));
  const pattern = context.createPattern(tile, 'repeat');
  if (!pattern) return;
  pattern.setTransform(new DOMMatrix().scale(PITCH / tile.width));
  context.fillStyle = pattern;
  context.fill();
}

/** A tile in device pixels: a scaled one would be blurred or jagged. */
function newTile(theme: Theme, kind: ZeroKind, ratio: number) {
  const side = Math.max(1, Math.round(PITCH * ratio));
  const tile = new OffscreenCanvas(side, side);
  const context = tile.getContext('2d');
  if (!context) return tile;
  context.scale(side / PITCH, side / PITCH);
  const { dot, hatch } = GRID_COLORS[theme];
  context.beginPath();
  if (kind === 'dots') {
    context.arc(PITCH / 2, PITCH / 2, DOT_RADIUS, 0, 2 * Math.PI);
    context.fillStyle = dot;
    context.fill();
    return tile;
  }
  // The middle line, and the corners of the adjacent ones.
  for (const shift of [-PITCH, 0, PITCH]) {
    context.moveTo(shift - 1, PITCH + 1);
    context.lineTo(shift + PITCH + 1, -1);
  }
  context.strokeStyle = hatch;
  context.stroke();
  return tile;
}

/** Repaints a map with a higher resolution, for export. */
interface Repaint {
  /** Everything except text, with `ratio` canvas pixels per CSS pixel. */
  readonly paint: (canvas: HTMLCanvasElement, ratio: number) => void;
  readonly texts: () => readonly CanvasText[];
}

/** The text of a cell, centered at a point in CSS pixels. */
interface CanvasText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly ink: string;
}

/** Of each map, set after each change of its canvas. */
export const repaints = new WeakMap<HTMLCanvasElement, Repaint>();
