import { colourOf } from '../../../drawing/colours';
import { compose, type Sign } from '../../../drawing/compose';
import type { Box, Drawing } from '../../../drawing/drawing';
import { measure } from '../../../drawing/measure';
import { cellName } from '../../../geometry/labels';
import type { Geometry } from '../../../protocol/problem';
import { type Player, playerIn } from '../../../ui/scrubber/players';
import { VIEWS } from '../../../views/list';
import type { Page } from '../../page';
import { signsIn } from './legend';

/** Something on the stage of which a picture can be made. */
export interface Subject {
  readonly element: Element;
  /** As it is chosen. */
  readonly label: string;
  readonly title: string;
  /** Part of a file's name. */
  readonly name: string;
}

/** The stage as a whole, and each of its panels. */
export function subjectsOn(page: Page): readonly Subject[] {
  const stage = document.querySelector('#stage .canvas');
  if (!stage) return [];
  const mode = VIEWS.find(({ id }) => id === page.look.mode.peek())?.title ?? '';
  const panels = [...stage.querySelectorAll('.panel')].map((element): Subject => {
    const part = (name: string) => element.querySelector(`.figure__${name}`)?.textContent?.trim() ?? '';
    const title = [part('title'), part('subtitle')].filter(Boolean).join(', ');
    const name = part('title').replace(/[^\w-]+/g, '') || 'panel';
    return { element, label: title, title, name };
  });
  return [{ element: stage, label: `the stage: ${mode}`, title: mode, name: page.look.mode.peek() }, ...panels];
}

/** The player below the stage. */
export const playerOn = (): Player | null => playerIn(document.querySelector('#stage .dock') ?? document);

/** The one in which the keyboard is, else the stage. */
export const nearest = (subjects: readonly Subject[], at: Element | null): number =>
  Math.max(
    0,
    subjects.findIndex(({ element }, i) => i > 0 && element.contains(at)),
  );

export interface Dress {
  readonly title: string;
  /** With what problem it is and what the signs mean. */
  readonly words: boolean;
  /** What this step of a process shows; missing where nothing is played. */
  readonly sentence?: string | undefined;
  /** What all frames of an animation have alike. */
  readonly common?: { readonly extent: Box; readonly signs: readonly Sign[] };
}

export function drawingOf(page: Page, { element }: Subject, { title, words, sentence, common }: Dress): Drawing {
  const { geometry } = page.scene.peek() ?? {};
  const cell = page.look.highlights.peek()?.cell ?? null;
  const root = getComputedStyle(document.documentElement);
  const tone = (of: string) => colourOf(root.getPropertyValue(`--${of}`).trim()) ?? '#000000';
  const signs = common?.signs ?? signsIn(element, geometry && cell ? cellName(geometry, cell) : null);
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
  const pair = (down: number, across: number) => (down === across ? `${down}` : `${down} down and ${across} across`);
  const { top, bottom, left, right } = g.padding;
  const sides = [top, bottom, left, right];
  const padding = sides.every((side) => side === top)
    ? `${top}`
    : `${top} above, ${bottom} below, ${left} left, ${right} right`;
  const sizes = [
    size('x', g.h, g.w, [
      [g.c, 'channels'],
      [g.n, 'samples'],
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
