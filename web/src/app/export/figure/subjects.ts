import { colorOf } from '../../../drawing/colors';
import { compose, type Sign } from '../../../drawing/compose';
import type { Box, Drawing } from '../../../drawing/drawing';
import { measure } from '../../../drawing/measure';
import { cellName } from '../../../geometry/labels';
import type { Geometry } from '../../../protocol/problem';
import { DARK_INK } from '../../../ui/palette';
import { type Player, playerIn } from '../../../ui/scrubber/players';
import { VIEWS } from '../../../views/list';
import type { Page } from '../../page/page';
import { legendOf } from './legend';

/** A part of the view that can be exported as a figure. */
export interface FigureSubject {
  readonly element: Element;
  /** Label in the menu. */
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

/** Index of the panel with the focus, or 0 (the whole view). */
export const focusedSubject = (subjects: readonly FigureSubject[], at: Element | null): number =>
  Math.max(
    0,
    subjects.findIndex(({ element }, i) => i > 0 && element.contains(at)),
  );

export interface FigureOptions {
  readonly title: string;
  /** Adds the sizes and the legend. */
  readonly words: boolean;
  /** Sentence of the player's current step, if any. */
  readonly sentence?: string | undefined;
  /** Extent and legend that all frames of an animation share. */
  readonly common?: { readonly extent: Box; readonly signs: readonly Sign[] };
}

export function drawingOf(
  page: Page,
  { element }: FigureSubject,
  { title, words, sentence, common }: FigureOptions,
): Drawing {
  const { geometry } = page.scene.peek() ?? {};
  const cell = page.look.highlights.peek()?.cell ?? null;
  const root = getComputedStyle(document.documentElement);
  const tone = (of: string) => colorOf(root.getPropertyValue(`--${of}`).trim()) ?? DARK_INK;
  const signs = common?.signs ?? legendOf(element, geometry && cell ? cellName(geometry, cell) : null);
  return compose(
    measure(element),
    {
      title,
      line: words && geometry ? problemLine(geometry) : '',
      signs: words ? signs : [],
      ...(sentence === undefined ? {} : { sentence }),
    },
    { paper: tone('paper'), ink: tone('ink'), soft: tone('ink-soft'), family: root.getPropertyValue('--sans').trim() },
    common?.extent,
  );
}

/** "x 7 × 7, w 3 × 3, y 3 × 3; stride 2, padding 1" */
export function problemLine(g: Geometry): string {
  const size = (name: string, rows: number, cols: number, more: readonly (readonly [number, string])[]) =>
    [`${name} ${rows} × ${cols}`, ...more.map(([count, one]) => (count > 1 ? ` × ${count} ${one}` : ''))].join('');
  const pair = (down: number, across: number) => (down === across ? `${down}` : `${down} × ${across}`);
  const { top, bottom, left, right } = g.padding;
  const sides = [top, bottom, left, right];
  const padding = sides.every((side) => side === top)
    ? `${top}`
    : `${top} top, ${bottom} bottom, ${left} left, ${right} right`;
  const sizes = [
    size('x', g.h, g.w, [
      [g.c, 'channels'],
      [g.n, 'images'],
    ]),
    size('w', g.kh, g.kw, [[g.k, 'filters']]),
    size('y', g.oh, g.ow, []),
  ];
  const moves = [
    `stride ${pair(g.stride_h, g.stride_w)}`,
    ...(sides.some((side) => side > 0) ? [`padding ${padding}`] : []),
    ...(g.dilation_h * g.dilation_w > 1 ? [`dilation ${pair(g.dilation_h, g.dilation_w)}`] : []),
    ...(g.groups > 1 ? [`${g.groups} groups`] : []),
  ];
  return `${sizes.join(', ')}; ${moves.join(', ')}`;
}
