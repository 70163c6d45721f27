import type { AnimationReply, AnimationRequest, FramePixels, FrameSize } from '../../animation/animation';
import workerAddress from '../../animation/animation-worker.ts?worker&url';
import { measure } from '../../figure/measure';
import { type Figure, NO_BOX, type Rect, union } from '../../figure/svg';
import { startWorker } from '../../loading/start-worker';
import type { Player } from '../../ui/scrubber/Scrubber';
import type { Page } from '../page/page';
import { currentPlayer, type FigureSubject, figureOf, figureSubjects, legendOf, rasterize, sizeOf } from './figure';

/** Records an animation: plays a process once and captures each frame. */

/** More frames make the file too large to share: with more steps, some are skipped. */
const MOST_FRAMES = 200;
/** Milliseconds that the last frame stays longer, to show the result. */
const LAST_FRAME_EXTRA = 1500;
/** Milliseconds. Viewers show shorter GIF frames at arbitrary slower speeds. */
export const SHORTEST = 20;

interface AnimationOptions {
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
  { index, title, speed, scale }: AnimationOptions,
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const { value: before, total } = currentPlayer() ?? { value: 0, total: 0 };
  const subject = (): FigureSubject => {
    const found = figureSubjects(page)[index];
    if (!found) throw new Error('the view has changed');
    return found;
  };
  let extent: Rect = NO_BOX;
  let signs: ReturnType<typeof legendOf> = [];
  const take = async (step: number): Promise<Figure> => {
    const { sentence } = await goTo(step, signal);
    return figureOf(page, subject(), { title, words: true, sentence, common: { extent, signs } });
  };
  const pixelsOf = async (figure: Figure, { width, height }: FrameSize): Promise<FramePixels> => {
    const context = await rasterize(figure, scale, { width, height });
    return context.getImageData(0, 0, width, height).data;
  };
  try {
    const samples = [...new Set([0, Math.ceil(total / 2), total])];
    // The extent that covers all frames, and the longest legend of them.
    for (const step of samples) {
      await goTo(step, signal);
      const { element } = subject();
      extent = union(extent, measure(element).box);
      const here = legendOf(element, 'the cell of the step');
      if (here.length > signs.length) signs = here;
    }
    const figures: Figure[] = [];
    for (const step of samples) figures.push(await take(step));
    const size = sizeOf(figures[0] ?? { width: 1, height: 1 }, scale);
    const frames = await Promise.all(figures.map((figure) => pixelsOf(figure, size)));
    const { ask, end } = startEncoder(signal);
    try {
      await ask(
        { size, samples: frames },
        frames.map(({ buffer }) => buffer),
      );
      const steps = recordedSteps(total);
      const times = durationsOf(steps, speed);
      for (const [i, step] of steps.entries()) {
        const pixels = await pixelsOf(await take(step), size);
        await ask({ pixels, time: times[i] ?? SHORTEST }, [pixels.buffer]);
        onProgress(i + 1);
      }
      const file = await ask({ end: true });
      signal.throwIfAborted();
      if (!file) throw new Error('the animation was not finished');
      return new Blob([file], { type: 'image/gif' });
    } finally {
      end();
    }
  } finally {
    currentPlayer()?.go(before);
  }
}

/** Starts the worker that encodes. Await each request before the next; `signal` ends the wait. */
function startEncoder(signal: AbortSignal) {
  const worker = startWorker(workerAddress, 'conv2d animation');
  const ask = (request: AnimationRequest, transfer: Transferable[] = []) =>
    new Promise<ArrayBuffer | undefined>((resolve, reject) => {
      // Canceled between two requests: the event is over.
      signal.throwIfAborted();
      signal.onabort = () => reject(signal.reason);
      worker.onerror = () => reject(new Error('part of the page failed to load: try again'));
      worker.onmessage = ({ data }: MessageEvent<AnimationReply>) =>
        'failure' in data ? reject(new Error(data.failure)) : resolve(data.file);
      worker.postMessage(request, transfer);
    });
  return { ask, end: () => worker.terminate() };
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
