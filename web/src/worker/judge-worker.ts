import { toConvError } from '../engine/validate';
import type { JudgeMessage, JudgeRequest } from '../protocol/judge';
import { judge } from './judge';

/** Judges arrays in a worker of its own, so that ending the worker cancels it and frees its memory. */

const post = (message: JudgeMessage): void => self.postMessage(message);

self.onmessage = async ({ data }: MessageEvent<JudgeRequest>) => {
  try {
    post({ type: 'verdict', verdict: await judge(data) });
  } catch (thrown) {
    post({ type: 'failed', message: toConvError(thrown).message });
  }
};
