import { compose, type FigureSign, SIGN } from '../../figure/compose';
import { measure, SHARPNESS, sampleOf } from '../../figure/measure';
import type { Figure, Rect } from '../../figure/svg';
import { cellName } from '../../geometry/labels';
import { type Player, playerIn } from '../../ui/scrubber/Scrubber';
import { VIEWS } from '../../views/list';
import { stopMotion } from '../../views/shared/travel';
import type { Page } from '../page/page';
import { problemLine } from '../page/problem-line';

export interface FigureSubject {
  readonly element: Element;
  readonly label: string;
  readonly title: string;
  /** Part of a file's name. */
  readonly name: string;
}

/** The whole view and each of its panels. */
export function figureSubjects(page: Page): readonly FigureSubject[] {
  const stage = document.querySelector('#stage .canvas');
  if (!stage) return [];
  const mode = VIEWS.find(({ id }) => id === page.look.mode.peek())?.title ?? '';
  const panels = [...stage.querySelectorAll('.panel')].map((element): FigureSubject => {
    const part = (name: string) => element.querySelector(`.figure__${name}`)?.textContent?.trim() ?? '';
    const title = [part('title'), part('subtitle')].filter(Boolean).join(', ');
    const name = part('title').replace(/[^\w-]+/g, '') || 'panel';
    return { element, label: title, title, name };
  });
  return [{ element: stage, label: `whole view: ${mode}`, title: mode, name: page.look.mode.peek() }, ...panels];
}

/** The player below the view. */
export const currentPlayer = (): Player | null => playerIn(document.querySelector('#stage .dock') ?? document);

/** Each sign of the legend copies the first mark of its kind in the figure. */
const SIGNS: readonly (readonly [selector: string, words: (name: string | null) => string])[] = [
  ['.mark--focus', (name) => name ?? 'the explained cell'],
  ['.mark--source', (name) => `inputs of ${name ?? 'the cell'}`],
  ['.mark--target', (name) => `cells that use ${name ?? 'the cell'}`],
  ['.mark--term', () => 'one term of its sum'],
  ['.mark--wrong', () => 'wrong value'],
  ['.mark--unread', () => 'read by no window'],
  ['.mark--pending', () => 'not computed yet'],
  ['.cell--padding', () => 'padding zeros'],
  ['.cell--inserted', () => 'inserted zeros'],
];

const SAMPLE: Rect = { x: 1, y: 1, width: SIGN - 2, height: SIGN - 2 };

/** The legend of a figure. `name` is the name of the explained cell, such as `y[1,1]`. */
export const legendOf = (root: Element, name: string | null): readonly FigureSign[] =>
  SIGNS.flatMap(([selector, words]) => {
    const found = root.querySelector(selector);
    const sample = found && sampleOf(found, SAMPLE);
    return sample?.svg ? [{ sample, words: words(name) }] : [];
  });

interface FigureOptions {
  readonly title: string;
  /** Adds the sizes and the legend. */
  readonly words: boolean;
  /** Sentence of the player's current step, if any. */
  readonly sentence?: string | undefined;
  /** Extent and legend that all frames of an animation share. */
  readonly common?: { readonly extent: Rect; readonly signs: readonly FigureSign[] };
}

export function figureOf(page: Page, { element }: FigureSubject, options: FigureOptions): Figure {
  const { title, words, sentence, common } = options;
  // Values on their way are missing in the cells.
  stopMotion();
  const content = page.currentContent.peek();
  const geometry = content?.geometry;
  const cell = page.look.highlights.peek()?.cell ?? null;
  const signs = common?.signs ?? legendOf(element, geometry && cell ? cellName(geometry, cell) : null);
  return compose(
    measure(element),
    {
      title,
      line: words && content ? problemLine(content, page.look.mode.peek() === 'network') : '',
      signs: words ? signs : [],
      ...(sentence === undefined ? {} : { sentence }),
    },
    common?.extent,
  );
}

/** Canvas limits that all browsers support: total pixels and side length. */
const MOST_PIXELS = 16_000_000;
const MOST_SIDE = 8192;

type Size = Pick<Figure, 'width' | 'height'>;

/** Pixels per CSS pixel: 2, or less if a browser could refuse the size. */
export const scaleOf = ({ width, height }: Size): number =>
  Math.min(SHARPNESS, Math.sqrt(MOST_PIXELS / (width * height)), MOST_SIDE / width, MOST_SIDE / height);

export const sizeOf = ({ width, height }: Size, scale: number): Size => ({
  width: Math.max(1, Math.round(Math.ceil(width) * scale)),
  height: Math.max(1, Math.round(Math.ceil(height) * scale)),
});

/** A figure as pixels. `size`, in pixels: that of the figure, or of the first frame of its animation. */
export async function rasterize(figure: Figure, scale: number, size: Size): Promise<CanvasRenderingContext2D> {
  const canvas = Object.assign(document.createElement('canvas'), size);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('the browser provided no canvas');
  const image = new Image();
  const address = URL.createObjectURL(svgOf(figure));
  try {
    image.src = address;
    await image.decode();
    context.fillStyle = figure.background;
    context.fillRect(0, 0, size.width, size.height);
    context.drawImage(image, 0, 0, Math.ceil(figure.width) * scale, Math.ceil(figure.height) * scale);
  } finally {
    URL.revokeObjectURL(address);
  }
  return context;
}

export async function pngOf(figure: Figure): Promise<Blob> {
  const scale = scaleOf(figure);
  const { canvas } = await rasterize(figure, scale, sizeOf(figure, scale));
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the browser created no image'))), 'image/png');
  });
}

export const svgOf = ({ svg }: Figure): Blob => new Blob([svg], { type: 'image/svg+xml' });
