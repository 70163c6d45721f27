import type { Encoder, FilmForm, FilmReply, FilmRequest } from './film';
import { gifOf } from './gif';

/** Makes one animation, then is ended. */

let encoder: Encoder | null = null;

/** Loads the library that writes video files, which is larger than all of the rest. */
async function videoEncoder(form: FilmForm): Promise<Encoder> {
  const { videoOf } = await import('./video').catch(() => {
    throw new Error('part of the page failed to load: try again');
  });
  return videoOf(form);
}

async function answer(request: FilmRequest): Promise<ArrayBuffer | undefined> {
  if ('end' in request) return encoder?.finish();
  if ('pixels' in request) await encoder?.add(request.pixels, request.time);
  else encoder = request.form.kind === 'gif' ? gifOf(request.form, request.samples) : await videoEncoder(request.form);
  return undefined;
}

self.onmessage = ({ data }: MessageEvent<FilmRequest>) => {
  const reply = (message: FilmReply, transfer: Transferable[]) => self.postMessage(message, { transfer });
  answer(data).then(
    (file) => reply({ file }, file ? [file] : []),
    (cause) => reply({ failure: cause instanceof Error ? cause.message : String(cause) }, []),
  );
};
