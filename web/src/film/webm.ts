import type { Encoder, FilmForm, FramePixels } from './messages';
import { type WebmChunk, type WebmTrack, writeWebm } from './write-webm';

/** Codecs, best first. */
const CODECS: readonly { readonly name: string; readonly id: WebmTrack['codec'] }[] = [
  { name: 'vp09.00.41.08', id: 'V_VP9' },
  { name: 'vp8', id: 'V_VP8' },
];

/** Bits per pixel and second: lines and letters stay sharp, and still areas cost little. */
const BITS = 6;
/** Frames between key frames, for seeking. */
const KEY_EVERY = 25;

const configOf = (codec: string, { width, height }: FilmForm): VideoEncoderConfig => ({
  ...{ codec, width, height, bitrate: BITS * width * height, latencyMode: 'quality' },
});

/** The codec that this browser supports for these frames, or null. */
export async function codecFor(form: FilmForm) {
  // WebKitGTK 2.50 has the encoder, but this query crashes the page's process.
  if (typeof VideoEncoder === 'undefined' || navigator.vendor === 'Apple Computer, Inc.') return null;
  for (const codec of CODECS) {
    const { supported } = await VideoEncoder.isConfigSupported(configOf(codec.name, form)).catch(() => ({
      supported: false,
    }));
    if (supported) return codec;
  }
  return null;
}

export async function webmOf(form: FilmForm): Promise<Encoder> {
  const codec = await codecFor(form);
  if (!codec) throw new Error('this browser cannot encode WebM');
  const chunks: WebmChunk[] = [];
  let failure: Error | null = null;
  const encoder = new VideoEncoder({
    output(chunk) {
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      chunks.push({ data, time: chunk.timestamp / 1000, key: chunk.type === 'key' });
    },
    error(cause) {
      failure = cause;
    },
  });
  encoder.configure(configOf(codec.name, form));
  let [now, count] = [0, 0];
  const encode = (pixels: FramePixels, time: number) => {
    if (failure) throw failure;
    const frame = new VideoFrame(pixels, {
      ...{ format: 'RGBA', codedWidth: form.width, codedHeight: form.height },
      ...{ timestamp: Math.round(now * 1000), duration: Math.round(time * 1000) },
    });
    encoder.encode(frame, { keyFrame: count % KEY_EVERY === 0 });
    frame.close();
    now += time;
    count += 1;
  };
  return {
    async add(pixels, time) {
      encode(pixels, time);
      // Waits for the encoder: frames are large.
      while (encoder.encodeQueueSize > 2) await new Promise((later) => setTimeout(later, 4));
    },
    async finish() {
      await encoder.flush();
      encoder.close();
      if (failure) throw failure;
      return writeWebm(chunks, { ...form, codec: codec.id, duration: now });
    },
  };
}
