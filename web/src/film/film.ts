/** Encoders of animations, frame by frame, in a worker: large frames would block the page. */

export type FilmKind = 'gif' | 'mp4' | 'webm';

/** RGBA, four bytes for each pixel. */
export type FramePixels = Uint8ClampedArray<ArrayBuffer>;

export interface FilmForm {
  readonly kind: FilmKind;
  /** In pixels; even numbers for video. */
  readonly width: number;
  readonly height: number;
}

export interface Encoder {
  /** `time`: duration in ms. Resolves when the next frame can be added. */
  readonly add: (pixels: FramePixels, time: number) => Promise<void>;
  readonly finish: () => Promise<ArrayBuffer>;
}

/** To the worker that encodes; each waits for the answer to the one before. `samples` are some of the frames. */
export type FilmRequest =
  | { readonly form: FilmForm; readonly samples: readonly FramePixels[] }
  | { readonly pixels: FramePixels; readonly time: number }
  | { readonly end: true };

/** `file`: after the end. */
export type FilmReply = { readonly file?: ArrayBuffer | undefined } | { readonly failure: string };

/** 6 bits per pixel and second: lines and letters stay sharp, and still areas cost little. */
export const bitrateOf = ({ width, height }: Pick<FilmForm, 'width' | 'height'>): number => 6 * width * height;

/** Video files, best first, with the codec that this browser must encode. Slide programs and Safari play MP4. */
const CONTAINERS: readonly { readonly kind: FilmKind; readonly codec: string }[] = [
  { kind: 'mp4', codec: 'avc1.640033' },
  { kind: 'webm', codec: 'vp09.00.41.08' },
  { kind: 'webm', codec: 'vp8' },
];

/** The kind of video that this browser can encode with frames of this size, or null. */
export async function videoKind(width: number, height: number): Promise<FilmKind | null> {
  // WebKitGTK 2.50 (WebKit on Linux) has the encoder, but this query crashes the page's process.
  const isWebKitGtk = navigator.vendor.startsWith('Apple') && navigator.platform.startsWith('Linux');
  if (typeof VideoEncoder === 'undefined' || isWebKitGtk) return null;
  for (const { kind, codec } of CONTAINERS) {
    const config = { codec, width, height, bitrate: bitrateOf({ width, height }) };
    const support = await VideoEncoder.isConfigSupported(config).catch(() => null);
    if (support?.supported) return kind;
  }
  return null;
}
