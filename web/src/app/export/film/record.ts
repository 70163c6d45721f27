import { draw } from '../../../drawing/draw';
import { around, type Box, type Drawing, extentOf, NO_BOX } from '../../../drawing/drawing';
import { measure } from '../../../drawing/measure';
import type { FilmForm, FilmKind, Picture } from '../../../film/messages';
import type { Player } from '../../../ui/scrubber/players';
import type { Page } from '../../page';
import { signsIn } from '../picture/legend';
import { drawingOf, playerOn, type Subject, subjectsOn } from '../picture/subjects';
import { createFilmClient } from './film-client';

/** How a process is played once and each of its pictures kept. */

/** More pictures are too many for a file that one sends to somebody: steps are left out then. */
export const MOST_FRAMES = 200;
/** The last picture stays, so that one sees what came of it, in milliseconds. */
export const HOLD = 1500;
/** Programs show shorter ones as slow as they like. */
export const SHORTEST = 20;

export interface Film {
  readonly kind: FilmKind;
  /** Which of the subjects on the stage. */
  readonly index: number;
  readonly title: string;
  /** Steps a second. */
  readonly speed: number;
  /** Pixels for one of the page. */
  readonly scale: number;
}

/** The steps that are shown: all, or every so many, with the first and the last. */
export function stepsShown(total: number): readonly number[] {
  const every = Math.max(1, Math.ceil(total / (MOST_FRAMES - 1)));
  const steps = Array.from({ length: Math.floor(total / every) + 1 }, (_, i) => i * every);
  return steps.at(-1) === total ? steps : [...steps, total];
}

/** How long each is shown, in milliseconds. */
export const timesOf = (steps: readonly number[], speed: number): readonly number[] =>
  steps.map((step, i) => {
    const next = steps[i + 1];
    const time = next === undefined ? 1000 / speed : (1000 * (next - step)) / speed;
    return Math.max(SHORTEST, time) + (next === undefined ? HOLD : 0);
  });

/** Plays the process from the first to the last step, and leaves it where it was. */
export async function record(
  page: Page,
  film: Film,
  onProgress: (done: number, of: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const before = playerOn()?.value ?? 0;
  const client = createFilmClient();
  signal.addEventListener('abort', client.close);
  try {
    const { total } = playerOn() ?? { total: 0 };
    const steps = stepsShown(total);
    const times = timesOf(steps, film.speed);
    const common = await commonOf(page, film, [0, Math.ceil(total / 2), total], signal);
    const take = async (step: number): Promise<Drawing> => {
      const { sentence } = await goTo(step, signal);
      return drawingOf(page, subjectOf(page, film), { title: film.title, words: true, sentence, common });
    };
    const samples = [];
    for (const step of new Set([0, Math.ceil(total / 2), total])) samples.push(await take(step));
    const form = formOf(film, samples[0]);
    await client.begin(
      form,
      samples.map((sample) => pixelsOf(sample, form, film.scale)),
    );
    for (const [i, step] of steps.entries()) {
      await client.add(pixelsOf(await take(step), form, film.scale), times[i] ?? SHORTEST);
      onProgress(i + 1, steps.length);
    }
    // Programs forget how long the last picture of a video is shown: it comes once more.
    if (film.kind === 'webm') await client.add(pixelsOf(await take(total), form, film.scale), SHORTEST);
    return new Blob([await client.finish()], { type: film.kind === 'gif' ? 'image/gif' : 'video/webm' });
  } finally {
    signal.removeEventListener('abort', client.close);
    client.close();
    playerOn()?.go(before);
  }
}

function subjectOf(page: Page, { index }: Film): Subject {
  const subject = subjectsOn(page)[index];
  if (!subject) throw new Error('the stage shows something else now');
  return subject;
}

/** What all frames have alike: they cover what any of them does, and explain the signs that one in the middle has. */
async function commonOf(page: Page, film: Film, steps: readonly number[], signal: AbortSignal) {
  let extent: Box = NO_BOX;
  let signs: ReturnType<typeof signsIn> = [];
  for (const step of steps) {
    await goTo(step, signal);
    const { element } = subjectOf(page, film);
    extent = around(extent, extentOf(measure(element)));
    const here = signsIn(element, 'the cell of the step');
    if (here.length > signs.length) signs = here;
  }
  return { extent, signs };
}

/** Video is made of pairs of pixels. */
function formOf({ kind, scale }: Film, sample: Drawing | undefined): FilmForm {
  const even = (size: number) => 2 * Math.ceil((Math.ceil(size) * scale) / 2);
  return { kind, width: even(sample?.width ?? 2), height: even(sample?.height ?? 2) };
}

function pixelsOf(drawing: Drawing, { width, height }: FilmForm, scale: number): Picture {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('this browser gives the page no canvas');
  draw(context, { ...drawing, width: width / scale, height: height / scale }, scale);
  return context.getImageData(0, 0, width, height).data;
}

const TICK = 4;
const PATIENCE = 20_000;

/** Goes to a step and waits until it is what the stage shows. */
async function goTo(step: number, signal: AbortSignal): Promise<Player> {
  playerOn()?.go(step);
  let settled = 0;
  for (let waited = 0; waited < PATIENCE; waited += TICK) {
    await new Promise((later) => setTimeout(later, TICK));
    if (signal.aborted) throw new DOMException('cancelled', 'AbortError');
    const player = playerOn();
    const waits = document.querySelector('#stage .canvas')?.getAttribute('data-waits') !== 'false';
    // Maps are painted in a rendering of their own.
    settled = player?.value === step && !waits ? settled + 1 : 0;
    if (player && settled === 3) return player;
  }
  throw new Error('a step took too long');
}
