import filmAddress from '../../../film/film-worker.ts?worker&url';
import type { FilmForm, FilmReply, FilmRequest, Picture } from '../../../film/messages';
import { scriptAddress } from '../../../trust/script-address';

/** The worker that makes a file of pictures: each request is answered before the next is made. */
export interface FilmClient {
  readonly begin: (form: FilmForm, samples: readonly Picture[]) => Promise<void>;
  readonly add: (picture: Picture, time: number) => Promise<void>;
  readonly finish: () => Promise<ArrayBuffer>;
  /** Gives up what was begun. */
  readonly close: () => void;
}

export function createFilmClient(): FilmClient {
  const worker = new Worker(scriptAddress(filmAddress), { type: 'module', name: 'conv2d animation' });
  let broken: Error | null = null;
  let refuse: ((cause: Error) => void) | null = null;
  // It may fail to arrive before anything is asked of it.
  worker.onerror = () => {
    broken = new Error('what makes animations could not be fetched: try again');
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
    add: async (picture, time) => void (await ask({ kind: 'frame', picture, time }, [picture.buffer])),
    async finish() {
      const reply = await ask({ kind: 'end' }, []);
      if (reply.kind !== 'done') throw new Error('the animation was not finished');
      return reply.file;
    },
    close() {
      worker.terminate();
      // Nobody answers any more, neither what was asked nor what will be.
      broken ??= new Error('it was given up');
      refuse?.(broken);
    },
  };
}
