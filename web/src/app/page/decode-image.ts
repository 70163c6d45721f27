/** Scales a size down to at most `max_side`, with the same aspect ratio and at least one pixel. */
function fitInto(width: number, height: number, max_side: number): { width: number; height: number } {
  const scale = Math.min(1, max_side / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** A decoded pixel takes 9 bytes (measured in Chromium with PNG), so at most 0.6 GB. Cameras have 12 to 50 million pixels. */
const MOST_PIXELS = 2 ** 26;

/** Of a side. Larger numbers are bytes of something else in the place of a size. */
const MOST_SIDE = 2 ** 24;

const SUPPORTED = 'Use PNG, JPEG, WebP, GIF, BMP or AVIF';

/** A bitmap, or why there is none. */
async function bitmapOf(file: Blob): Promise<ImageBitmap | string> {
  const type = file.type === '' ? 'a file of unknown type' : `a file of type ${file.type}`;
  const size = await sizeOfImage(
    async (from, count) => new DataView(await file.slice(from, from + count).arrayBuffer()),
  );
  if (!size) return `${type} is not a supported image. ${SUPPORTED}`;
  const { width, height } = size;
  const damaged = `the browser cannot read ${type}. It may be damaged`;
  if (Math.max(width, height) > MOST_SIDE) return damaged;
  if (width * height > MOST_PIXELS) {
    const most = Math.floor(MOST_PIXELS / 1e6);
    return `the image has ${width} × ${height} pixels, more than the maximum of ${most} million. Use a smaller image`;
  }
  try {
    return await createImageBitmap(file, { colorSpaceConversion: 'none' });
  } catch {
    return damaged;
  }
}

export interface DecodedImage {
  /** RGBA of each pixel, row by row. */
  readonly pixels: ImageData;
  /** Size of the file's image before scaling, in pixels. */
  readonly original: PixelSize;
}

/**
 * Decodes with the browser's decoders, and scales down to `max_side`; otherwise says why it cannot. Transparent pixels get a white
 * background. Not in a worker: in WebKit, those of a document without an origin, as of a page that is itself a file, can read no blob.
 */
export async function decodeImage(file: Blob, max_side: number): Promise<DecodedImage | string> {
  const bitmap = await bitmapOf(file);
  if (typeof bitmap === 'string') return bitmap;
  const original = { width: bitmap.width, height: bitmap.height };
  const { width, height } = fitInto(original.width, original.height, max_side);
  const context = new OffscreenCanvas(width, height).getContext('2d', { alpha: false, willReadFrequently: true });
  if (context === null) return 'this browser cannot decode images. Use another browser';
  // css-ok: transparent pixels become white.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  return { pixels: context.getImageData(0, 0, width, height), original };
}

export type ReadBytes = (from: number, count: number) => Promise<DataView>;

export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** Bytes to read. AVIF and HEIC have their size among other boxes; other formats in the first few dozen bytes. */
const HEAD = 4096;
/** Maximum number of segments before the size in a JPEG; cameras write fewer than 20. */
const MOST_SEGMENTS = 1000;

type Sizer = (head: DataView, read: ReadBytes) => PixelSize | null | Promise<PixelSize | null>;

/**
 * Reads the size of an image from its header, so that images that are too large are not decoded: a PNG of 48 kB can have 20,000 x
 * 20,000 pixels. Null if the header has no size or the format is not supported.
 * PNG: https://www.w3.org/TR/png-3/ GIF: https://www.w3.org/Graphics/GIF/spec-gif89a.txt
 * WebP: https://developers.google.com/speed/webp/docs/riff_container JPEG: ITU-T T.81, annex B
 * AVIF: ISO/IEC 14496-12 (ftyp) and 23008-12 (ispe)
 */
export async function sizeOfImage(read: ReadBytes): Promise<PixelSize | null> {
  const head = await read(0, HEAD);
  const sizer = SIZERS.find(({ at, starts }) => textAt(head, at, starts.length) === starts);
  try {
    return (await sizer?.size(head, read)) ?? null;
  } catch (thrown) {
    // The file ends before the size.
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}

const SIZERS: readonly { readonly at: number; readonly starts: string; readonly size: Sizer }[] = [
  { at: 0, starts: '\x89PNG\r\n\x1a\n', size: (head) => ({ width: head.getUint32(16), height: head.getUint32(20) }) },
  { at: 0, starts: '\xff\xd8\xff', size: (_head, read) => ofJpeg(read) },
  { at: 0, starts: 'GIF8', size: (head) => ({ width: head.getUint16(6, true), height: head.getUint16(8, true) }) },
  { at: 8, starts: 'WEBP', size: ofWebp },
  { at: 0, starts: 'BM', size: ofBmp },
  { at: 4, starts: 'ftyp', size: ofAvif },
];

const textAt = (view: DataView, at: number, length: number): string =>
  at + length > view.byteLength ? '' : String.fromCharCode(...Array.from({ length }, (_, i) => view.getUint8(at + i)));

function ofBmp(head: DataView): PixelSize {
  // The oldest header has 16-bit sizes. A negative height means that rows go from top to bottom.
  if (head.getUint32(14, true) === 12) return { width: head.getUint16(18, true), height: head.getUint16(20, true) };
  return { width: head.getInt32(18, true), height: Math.abs(head.getInt32(22, true)) };
}

function ofWebp(head: DataView): PixelSize | null {
  const kind = textAt(head, 12, 4);
  if (kind === 'VP8 ') return { width: head.getUint16(26, true) & 0x3fff, height: head.getUint16(28, true) & 0x3fff };
  if (kind === 'VP8L') {
    const bits = head.getUint32(21, true);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  const of24Bits = (at: number) => 1 + head.getUint16(at, true) + 0x10000 * head.getUint8(at + 2);
  return kind === 'VP8X' ? { width: of24Bits(24), height: of24Bits(27) } : null;
}

/** Images in the file may be tiles of a larger one, which has its own box: returns the largest. */
function ofAvif(head: DataView): PixelSize | null {
  let largest: PixelSize | null = null;
  for (let at = 0; at + 16 <= head.byteLength; at += 1) {
    if (textAt(head, at, 4) !== 'ispe') continue;
    const found = { width: head.getUint32(at + 8), height: head.getUint32(at + 12) };
    if (!largest || found.width * found.height > largest.width * largest.height) largest = found;
  }
  return largest;
}

/** Skips segments with camera data and thumbnails until the one with the size. */
async function ofJpeg(read: ReadBytes): Promise<PixelSize | null> {
  let at = 2;
  for (let i = 0; i < MOST_SEGMENTS; i += 1) {
    const segment = await read(at, 9);
    const marker = segment.getUint8(1);
    if (segment.getUint8(0) !== 0xff) return null;
    // Any number of fill bytes may precede a marker.
    if (marker === 0xff) at += 1;
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { width: segment.getUint16(7), height: segment.getUint16(5) };
    } else at += 2 + segment.getUint16(2);
  }
  return null;
}
