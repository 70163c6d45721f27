import { gifOf } from './gif';
import type { Encoder, FilmForm, FilmReply, FilmRequest } from './messages';

/** Makes one animation frame by frame, then ends. */

let encoder: Encoder | null = null;

const reply = (message: FilmReply, transfer: Transferable[] = []): void => self.postMessage(message, { transfer });

/** Loads the library that writes video files, which is larger than all of the rest. */
async function videoEncoder(form: FilmForm): Promise<Encoder> {
  const { videoOf } = await import('./video').catch(() => {
    throw new Error('part of the page failed to load: try again');
  });
  return videoOf(form);
}

async function answer(request: FilmRequest): Promise<void> {
  switch (request.kind) {
    case 'begin':
      encoder = request.form.kind === 'gif' ? gifOf(request.form, request.samples) : await videoEncoder(request.form);
      return reply({ kind: 'ready' });
    case 'frame':
      await encoder?.add(request.pixels, request.time);
      return reply({ kind: 'ready' });
    case 'end': {
      const file = await encoder?.finish();
      if (file) reply({ kind: 'done', file }, [file]);
    }
  }
}

self.onmessage = ({ data }: MessageEvent<FilmRequest>) => {
  answer(data).catch((cause: unknown) =>
    reply({ kind: 'failed', message: cause instanceof Error ? cause.message : String(cause) }),
  );
};
