import {
  BufferTarget,
  getFirstEncodableVideoCodec,
  Mp4OutputFormat,
  Output,
  VideoSample,
  VideoSampleSource,
  WebMOutputFormat,
} from 'mediabunny';
import { bitrateOf, type Encoder, type FilmForm } from './film';

/** Seconds between key frames, for seeking. */
const KEY_INTERVAL = 2;

/** A video with the browser's encoder. */
export async function videoOf({ kind, width, height }: FilmForm): Promise<Encoder> {
  const bitrate = bitrateOf({ width, height });
  const wanted = { width, height, bitrate };
  const codec = await getFirstEncodableVideoCodec(kind === 'mp4' ? ['avc'] : ['vp9', 'vp8'], wanted);
  if (!codec) throw new Error(`this browser cannot encode ${kind}`);
  const target = new BufferTarget();
  const output = new Output({ format: kind === 'mp4' ? new Mp4OutputFormat() : new WebMOutputFormat(), target });
  const source = new VideoSampleSource({ codec, bitrate, keyFrameInterval: KEY_INTERVAL, latencyMode: 'quality' });
  output.addVideoTrack(source);
  await output.start();
  let now = 0;
  return {
    async add(pixels, time) {
      const frame = { format: 'RGBA', codedWidth: width, codedHeight: height } as const;
      const sample = new VideoSample(pixels, { ...frame, timestamp: now, duration: time / 1000 });
      now += time / 1000;
      // Resolves when the encoder accepts another frame.
      await source.add(sample).finally(() => sample.close());
    },
    async finish() {
      await output.finalize();
      if (!target.buffer) throw new Error('the video is empty');
      return target.buffer;
    },
  };
}
