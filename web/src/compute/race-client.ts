import type { RaceMessage, RaceRequest } from '../protocol/race';
import { scriptAddress } from '../trust/script-address';
import raceWorkerAddress from '../worker/race-worker.ts?worker&url';

/**
 * Runs a race in a worker of its own; `onMessage` hears of it. The function that is returned ends the worker at once, and with it
 * its modules, threads and memory.
 */
export function startRace(request: RaceRequest, onMessage: (message: RaceMessage) => void): () => void {
  const worker = new Worker(scriptAddress(raceWorkerAddress), { type: 'module', name: 'conv2d race' });
  worker.onmessage = ({ data }: MessageEvent<RaceMessage>) => onMessage(data);
  worker.onerror = () =>
    onMessage({ type: 'failed', message: 'what races did not start or stopped: check the connection, then try again' });
  worker.postMessage(request);
  return () => worker.terminate();
}
