import { ConvFailure, toConvError } from '../engine/failure';
import { loadModule } from '../engine/load';
import type { ComputeResult, ModuleVariant, WorkerMessage, WorkerRequest } from '../protocol/messages';
import type { Question } from '../protocol/questions';
import { isDamagedFile } from '../trust/damaged-file';
import type { OnProgress } from './answerer';
import { buffersOf, ConvEngine } from './conv-engine';

/** Minimum time between progress messages: more messages would delay painting. */
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

/** Loads the threads build later, if at all. It needs shared memory (an isolated page) and relaxed SIMD. */
async function addThreads({ engine, variant }: Started, result: ComputeResult): Promise<void> {
  if (!self.crossOriginIsolated || variant !== 'relaxed') return;
  try {
    const { offerThreads } = await import('./threads');
    await offerThreads(engine, result);
  } catch {
    // The file or its workers may be blocked. Everything works without threads.
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
    // Preload now, while the worker is idle. If this fails, the next question tries again and reports the error.
    if (result.type === 'compute') answers().catch(() => undefined);
    if (result.type === 'compute') await addThreads(started, result);
  } catch (thrown) {
    post({ type: 'error', id, error: toConvError(thrown) });
  }
}

self.onmessage = (event: MessageEvent<WorkerRequest>) => {
  void answer(event.data);
};

const CHECK_CONNECTION = 'failed to load. Check your connection and try again';

/**
 * The failure of a lazy import. A worker does not load a damaged file again, so that failure is `internal`: the
 * page then starts another worker.
 */
function loadFailure(what: string, cause: unknown): ConvFailure {
  if (isDamagedFile(cause)) return new ConvFailure('internal', '', `${what} failed to load (damaged file). Try again`);
  return new ConvFailure('module_unavailable', '', `${what} ${CHECK_CONNECTION}`);
}

/** Not part of the first download: the first question comes after the first values are on the screen. */
async function answers(question?: Question) {
  try {
    const { answerQuestion, prepareAnswer } = await import('./answers');
    await prepareAnswer(question);
    return answerQuestion;
  } catch (cause) {
    throw loadFailure('a part of the compute engine', cause);
  }
}

/** Not part of the first download: loaded with the first exercise. If it fails, no values are sent. */
async function hide() {
  try {
    return (await import('./masks')).hide;
  } catch (cause) {
    throw loadFailure('the part that hides values', cause);
  }
}

/** Not part of the first download: loaded with the first image. */
async function decoder() {
  try {
    return (await import('./decode-image')).decodeImage;
  } catch {
    throw new ConvFailure('image_unreadable', 'file', `the image reader ${CHECK_CONNECTION}`);
  }
}
