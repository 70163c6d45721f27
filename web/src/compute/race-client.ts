import type { RaceMessage, RaceRequest } from '../protocol/race';
import { scriptAddress } from '../trust/script-address';
import raceWorkerAddress from '../worker/race-worker.ts?worker&url';

/**
 * Runs a race in its own worker and passes its messages to `onMessage`. Returns a function that ends the worker with its modules,
 * threads and memory.
 */
export function startRace(request: RaceRequest, onMessage: (message: RaceMessage) => void): () => void {
  const worker = new Worker(scriptAddress(raceWorkerAddress), { type: 'module', name: 'conv2d race' });
  worker.onmessage = ({ data }: MessageEvent<RaceMessage>) => onMessage(data);
  worker.onerror = () =>
    onMessage({ type: 'failed', message: 'the race failed to start or crashed. Check your connection and try again' });
  worker.postMessage(request);
  return () => worker.terminate();
}
