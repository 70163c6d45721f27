import { ConvFailure, toConvError } from '../engine/failure';
import { loadModule } from '../engine/load';
import type { ComputeResult, ModuleVariant, WorkerMessage, WorkerRequest } from '../protocol/messages';
import type { Question } from '../protocol/questions';
import { ConvEngine } from './conv-engine';
import type { OnProgress } from './progress';
import { buffersOf } from './transferables';

/** Messages about progress are at least this far apart: more would only keep the page from painting. */
const PROGRESS_INTERVAL_MS = 50;

const post = (message: WorkerMessage, transfer: Transferable[] = []): void => self.postMessage(message, { transfer });

interface Started {
  readonly engine: ConvEngine;
  readonly variant: ModuleVariant;
}

async function start(): Promise<Started> {
  const { module, variant } = await loadModule();
  const engine = new ConvEngine(module);
  post({ type: 'ready', variant });
  return { engine, variant };
}

function throttled(id: number): OnProgress {
  let last = performance.now();
  return (phase, fraction) => {
    const now = performance.now();
    if (now - last < PROGRESS_INTERVAL_MS) return;
    last = now;
    post({ type: 'progress', id, phase, fraction });
  };
}

const starting = start();
starting.catch((thrown) => post({ type: 'failed_to_start', error: toConvError(thrown) }));

/**
 * Shared memory, and so threads, are there where the page is isolated, and their module is a relaxed one; all that is about
 * them comes later, if at all.
 */
async function addThreads({ engine, variant }: Started, result: ComputeResult): Promise<void> {
  if (!self.crossOriginIsolated || variant !== 'relaxed') return;
  try {
    const { offerThreads } = await import('./threads');
    await offerThreads(engine, result);
  } catch {
    // The file or its workers may be blocked where everything else works: then it goes on without them.
  }
}

async function answer({ id, request }: WorkerRequest): Promise<void> {
  try {
    const started = await starting;
    const { engine } = started;
    const onProgress = throttled(id);
    if (request.type === 'question') engine.answers = await answers(request.question);
    if (request.type === 'compute' && request.hidden) engine.hide ??= await hide();
    const result =
      request.type === 'decode_image'
        ? await (await decoder())(engine, request, onProgress)
        : engine.answer(request, id, onProgress);
    post({ type: 'result', id, result, memory: engine.memory }, buffersOf(result));
    // While nobody waits for it; whoever asks when that failed is told so, and may ask again.
    if (result.type === 'compute') answers().catch(() => undefined);
    if (result.type === 'compute') await addThreads(started, result);
  } catch (thrown) {
    post({ type: 'error', id, error: toConvError(thrown) });
  }
}

self.onmessage = (event: MessageEvent<WorkerRequest>) => {
  void answer(event.data);
};

/**
 * A part that was not had. One that arrived damaged this worker would not fetch again: the page starts another one after a
 * failure that is `internal`.
 */
function missing(what: string, cause: unknown): ConvFailure {
  if (cause instanceof SyntaxError) return new ConvFailure('internal', '', `${what} arrived damaged: try again`);
  return new ConvFailure(
    'module_unavailable',
    '',
    `${what} could not be fetched: check the connection, then try again`,
  );
}

/** No part of the first download: questions come after the first numbers are on the screen. */
async function answers(question?: Question) {
  try {
    const { answerQuestion, prepareAnswer } = await import('./answers');
    await prepareAnswer(question);
    return answerQuestion;
  } catch (cause) {
    throw missing('what answers questions', cause);
  }
}

/** No part of the first download: it comes with the first exercise. Without it nothing is shown. */
async function hide() {
  try {
    return (await import('./masks')).hide;
  } catch (cause) {
    throw missing('what hides numbers', cause);
  }
}

/** No part of the first download: it comes with the first image. */
async function decoder() {
  try {
    return (await import('./decode-image')).decodeImage;
  } catch {
    const message = 'what reads images could not be fetched: check the connection, then try again';
    throw new ConvFailure('image_unreadable', 'file', message);
  }
}
