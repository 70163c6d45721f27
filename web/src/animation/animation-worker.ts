import type { AnimationReply, AnimationRequest } from './animation';
import { type GifEncoder, gifOf } from './gif';

/** Makes one animation, then is ended. */

let encoder: GifEncoder | null = null;

function answer(request: AnimationRequest): ArrayBuffer | undefined {
  if ('end' in request) return encoder?.finish();
  if ('pixels' in request) encoder?.add(request.pixels, request.time);
  else encoder = gifOf(request.size, request.samples);
  return undefined;
}

self.onmessage = ({ data }: MessageEvent<AnimationRequest>) => {
  const reply = (message: AnimationReply, transfer: Transferable[] = []) => self.postMessage(message, { transfer });
  try {
    const file = answer(data);
    reply({ file }, file ? [file] : []);
  } catch (cause) {
    reply({ failure: cause instanceof Error ? cause.message : String(cause) });
  }
};
