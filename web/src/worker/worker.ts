import { loadModule } from '../engine/load';
import { ConvFailure, toConvError } from '../engine/validate';
import { isDamagedFile } from '../loading/damaged-file';
import type { ComputeResult, WorkerMessage, WorkerRequest } from '../protocol/messages';
import type { Question } from '../protocol/questions';
import type { OnProgress } from './answerer';
import { buffersOf, ConvEngine } from './conv-engine';

/** Minimum time between progress messages: more messages would delay painting. */
const PROGRESS_INTERVAL_MS = 50;

const post = (message: WorkerMessage, transfer: Transferable[] = []): void => self.postMessage(message, { transfer });

async function start() {
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
async function addThreads({ engine, variant }: Awaited<typeof starting>, result: ComputeResult): Promise<void> {
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
    if (request.type === 'question') engine.answers = await answers(request.question, engine);
    if (request.type === 'compute' && request.hidden.length > 0) engine.hide ??= await hide();
    const result = engine.answer(request, id, onProgress);
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

/**
 * A part that is not in the first download. A worker does not load a damaged file again, so that failure is `internal`: the
 * page then starts another worker.
 */
async function load<Part>(what: string, part: () => Promise<Part>): Promise<Part> {
  try {
    return await part();
  } catch (cause) {
    if (isDamagedFile(cause)) throw new ConvFailure('internal', '', `${what} failed to load (damaged file). Try again`);
    throw new ConvFailure('module_unavailable', '', `${what} failed to load. Check your connection and try again`);
  }
}

/** The first question comes after the first values are on the screen. */
const answers = (question?: Question, engine?: ConvEngine) =>
  load('a part of the compute engine', async () => {
    const { answerQuestion, prepareAnswer } = await import('./answers');
    await prepareAnswer(question, engine);
    return answerQuestion;
  });

/** Loaded with the first exercise. If it fails, no values are sent. */
const hide = () => load('the part that hides values', async () => (await import('./masks')).hide);
