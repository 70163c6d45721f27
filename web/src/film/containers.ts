import type { FilmKind } from './messages';

/** Bits per pixel and second: lines and letters stay sharp, and still areas cost little. */
export const BITS_PER_PIXEL = 6;

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
    const config = { codec, width, height, bitrate: BITS_PER_PIXEL * width * height };
    const support = await VideoEncoder.isConfigSupported(config).catch(() => null);
    if (support?.supported) return kind;
  }
  return null;
}
