import { type Box, type Drawing, extentOf, NO_BOX, union } from '../../../drawing/drawing';
import { measure } from '../../../drawing/measure';
import type { FilmForm, FilmKind, FramePixels } from '../../../film/messages';
import type { Player } from '../../../ui/scrubber/Scrubber';
import type { Page } from '../../page/page';
import { rasterize } from '../figure/files';
import { legendOf } from '../figure/legend';
import { currentPlayer, drawingOf, type FigureSubject, figureSubjects } from '../figure/subjects';
import { createAnimationClient } from './animation-client';

/** Records an animation: plays a process once and captures each frame. */

/** More frames make the file too large to share: with more steps, some are skipped. */
export const MOST_FRAMES = 200;
/** Milliseconds that the last frame stays longer, to show the result. */
export const LAST_FRAME_EXTRA = 1500;
/** Milliseconds. Viewers show shorter GIF frames at arbitrary slower speeds. */
export const SHORTEST = 20;

export interface AnimationOptions {
  readonly kind: FilmKind;
  /** Index of the subject in the view. */
  readonly index: number;
  readonly title: string;
  /** Steps per second. */
  readonly speed: number;
  /** Pixels per CSS pixel. */
  readonly scale: number;
}

/** The recorded steps: all, or every n-th, including the first and the last. */
export function recordedSteps(total: number): readonly number[] {
  const every = Math.max(1, Math.ceil(total / (MOST_FRAMES - 1)));
  const steps = Array.from({ length: Math.floor(total / every) + 1 }, (_, i) => i * every);
  return steps.at(-1) === total ? steps : [...steps, total];
}

/** Milliseconds per frame. */
export const durationsOf = (steps: readonly number[], speed: number): readonly number[] =>
  steps.map((step, i) => {
    const next = steps[i + 1];
    const time = next === undefined ? 1000 / speed : (1000 * (next - step)) / speed;
    return Math.max(SHORTEST, time) + (next === undefined ? LAST_FRAME_EXTRA : 0);
  });

/** Plays the process from the first to the last step, then restores the current step. */
export async function record(
  page: Page,
  options: AnimationOptions,
  onProgress: (done: number, of: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const before = currentPlayer()?.value ?? 0;
  const client = createAnimationClient();
  signal.addEventListener('abort', client.close);
  try {
    const { total } = currentPlayer() ?? { total: 0 };
    const steps = recordedSteps(total);
    const times = durationsOf(steps, options.speed);
    const common = await commonOf(page, options, [0, Math.ceil(total / 2), total], signal);
    const take = async (step: number): Promise<Drawing> => {
      const { sentence } = await goTo(step, signal);
      return drawingOf(page, subjectOf(page, options), { title: options.title, words: true, sentence, common });
    };
    const samples = [];
    for (const step of new Set([0, Math.ceil(total / 2), total])) samples.push(await take(step));
    const form: FilmForm = { kind: options.kind, ...frameSize(samples[0] ?? { width: 2, height: 2 }, options.scale) };
    await client.begin(form, await Promise.all(samples.map((sample) => pixelsOf(sample, form, options.scale))));
    for (const [i, step] of steps.entries()) {
      await client.add(await pixelsOf(await take(step), form, options.scale), times[i] ?? SHORTEST);
      onProgress(i + 1, steps.length);
    }
    // Players ignore the duration of the last video frame: repeat it.
    if (options.kind !== 'gif') await client.add(await pixelsOf(await take(total), form, options.scale), SHORTEST);
    return new Blob([await client.finish()], { type: `${options.kind === 'gif' ? 'image' : 'video'}/${options.kind}` });
  } finally {
    signal.removeEventListener('abort', client.close);
    client.close();
    currentPlayer()?.go(before);
  }
}

function subjectOf(page: Page, { index }: AnimationOptions): FigureSubject {
  const subject = figureSubjects(page)[index];
  if (!subject) throw new Error('the view has changed');
  return subject;
}

/** The extent that covers all frames, and the longest legend of them. */
async function commonOf(page: Page, options: AnimationOptions, steps: readonly number[], signal: AbortSignal) {
  let extent: Box = NO_BOX;
  let signs: ReturnType<typeof legendOf> = [];
  for (const step of steps) {
    await goTo(step, signal);
    const { element } = subjectOf(page, options);
    extent = union(extent, extentOf(measure(element)));
    const here = legendOf(element, 'the cell of the step');
    if (here.length > signs.length) signs = here;
  }
  return { extent, signs };
}

/** Pixels of a frame. Video needs even sizes. */
export function frameSize({ width, height }: Pick<Drawing, 'width' | 'height'>, scale: number) {
  const even = (size: number) => 2 * Math.ceil((Math.ceil(size) * scale) / 2);
  return { width: even(width), height: even(height) };
}

async function pixelsOf(drawing: Drawing, { width, height }: FilmForm, scale: number): Promise<FramePixels> {
  const context = await rasterize(drawing, scale, { width, height });
  return context.getImageData(0, 0, width, height).data;
}

/** Milliseconds. */
const TICK = 4;
const PATIENCE = 20_000;

/** Goes to a step and waits until the view shows it. */
async function goTo(step: number, signal: AbortSignal): Promise<Player> {
  currentPlayer()?.go(step);
  let settled = 0;
  for (let waited = 0; waited < PATIENCE; waited += TICK) {
    await new Promise((later) => setTimeout(later, TICK));
    if (signal.aborted) throw new DOMException('canceled', 'AbortError');
    const player = currentPlayer();
    const waits = document.querySelector('#stage .canvas')?.getAttribute('data-waits') !== 'false';
    // Color maps are painted in a separate frame.
    settled = player?.value === step && !waits ? settled + 1 : 0;
    if (player && settled === 3) return player;
  }
  throw new Error('a step took too long');
}
