import { startWorker } from '../loading/start-worker';
import type { JudgeMessage, JudgeRequest } from '../protocol/judge';
import judgeWorkerAddress from '../worker/judge-worker.ts?worker&url';

/** Judges arrays in their own worker, which gets copies of the values. Returns a function that cancels it. */
export function startJudge(request: JudgeRequest, onMessage: (message: JudgeMessage) => void): () => void {
  const worker = startWorker(judgeWorkerAddress, 'conv2d check');
  const end = () => worker.terminate();
  worker.onmessage = ({ data }: MessageEvent<JudgeMessage>) => {
    end();
    onMessage(data);
  };
  worker.onerror = () => {
    end();
    onMessage({ type: 'failed', message: 'the check failed to start or crashed. Check your connection and try again' });
  };
  worker.postMessage(request);
  return end;
}
