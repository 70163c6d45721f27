import filmAddress from '../../../film/film-worker.ts?worker&url';
import type { FilmForm, FilmReply, FilmRequest, FramePixels } from '../../../film/messages';
import { scriptAddress } from '../../../trust/script-address';

/** Client of the worker that encodes animations. Await each request before the next. */
export interface AnimationClient {
  readonly begin: (form: FilmForm, samples: readonly FramePixels[]) => Promise<void>;
  readonly add: (pixels: FramePixels, time: number) => Promise<void>;
  readonly finish: () => Promise<ArrayBuffer>;
  /** Cancels the animation. */
  readonly close: () => void;
}

export function createAnimationClient(): AnimationClient {
  const worker = new Worker(scriptAddress(filmAddress), { type: 'module', name: 'conv2d animation' });
  let broken: Error | null = null;
  let refuse: ((cause: Error) => void) | null = null;
  // The script may fail to load before the first request.
  worker.onerror = () => {
    broken = new Error('part of the page failed to load: try again');
    refuse?.(broken);
  };
  const ask = (request: FilmRequest, transfer: Transferable[]) =>
    new Promise<FilmReply>((resolve, reject) => {
      if (broken) return reject(broken);
      refuse = reject;
      worker.onmessage = ({ data }: MessageEvent<FilmReply>) =>
        data.kind === 'failed' ? reject(new Error(data.message)) : resolve(data);
      worker.postMessage(request, transfer);
    });
  return {
    begin: async (form, samples) =>
      void (await ask(
        { kind: 'begin', form, samples },
        samples.map(({ buffer }) => buffer),
      )),
    add: async (pixels, time) => void (await ask({ kind: 'frame', pixels, time }, [pixels.buffer])),
    async finish() {
      const reply = await ask({ kind: 'end' }, []);
      if (reply.kind !== 'done') throw new Error('the animation was not finished');
      return reply.file;
    },
    close() {
      worker.terminate();
      // A terminated worker answers no pending and no later request.
      broken ??= new Error('it was canceled');
      refuse?.(broken);
    },
  };
}
