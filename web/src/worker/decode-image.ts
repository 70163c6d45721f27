import { ConvFailure } from '../engine/failure';
import { checkCount, checkFields } from '../engine/validate';
import type { DecodeImageRequest, DecodeImageResult } from '../protocol/messages';
import type { ConvEngine } from './conv-engine';
import { sizeOfImage } from './image-size';
import type { OnProgress } from './progress';

const unreadable = (message: string): ConvFailure => new ConvFailure('image_unreadable', 'file', message);

/** Scales a size down to at most `max_side`, with the same aspect ratio and at least one pixel. */
function fitInto(width: number, height: number, max_side: number): { width: number; height: number } {
  const scale = Math.min(1, max_side / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** A decoded pixel takes 9 bytes (measured in Chromium with PNG), so at most 0.6 GB. Cameras have 12 to 50 million pixels. */
const MOST_PIXELS = 2 ** 26;

const SUPPORTED = 'Use PNG, JPEG, WebP, GIF, BMP or AVIF';

async function bitmapOf(file: Blob): Promise<ImageBitmap> {
  if (!(file instanceof Blob)) throw unreadable('this is not a file');
  const type = file.type === '' ? 'a file of unknown type' : `a file of type ${file.type}`;
  const size = await sizeOfImage(
    async (from, count) => new DataView(await file.slice(from, from + count).arrayBuffer()),
  );
  if (!size) throw unreadable(`${type} is not a supported image. ${SUPPORTED}`);
  const { width, height } = size;
  if (width * height > MOST_PIXELS) {
    const most = Math.floor(MOST_PIXELS / 1e6);
    throw unreadable(
      `the image has ${width} × ${height} pixels, more than the maximum of ${most} million. Use a smaller image`,
    );
  }
  try {
    return await createImageBitmap(file, { colorSpaceConversion: 'none' });
  } catch {
    throw unreadable(`the browser cannot read ${type} of ${width} × ${height} pixels. It may be damaged`);
  }
}

/** Decodes with the browser's decoders in the worker. Transparent pixels get a white background. */
export async function decodeImage(
  engine: ConvEngine,
  request: DecodeImageRequest,
  onProgress: OnProgress,
): Promise<DecodeImageResult> {
  checkFields(request, ['type', 'file', 'channels', 'max_side'], 'the request');
  if (request.channels !== 1 && request.channels !== 3) {
    throw new ConvFailure(
      'invalid_argument',
      'channels',
      `channels is ${String(request.channels)}, but must be 1 or 3`,
    );
  }
  if (checkCount(request.max_side, 'max_side') < 1) {
    throw new ConvFailure('invalid_argument', 'max_side', `max_side is ${request.max_side}, but must be at least 1`);
  }
  onProgress('reading image', 0);
  const bitmap = await bitmapOf(request.file);
  const original = { width: bitmap.width, height: bitmap.height };
  const { width, height } = fitInto(original.width, original.height, request.max_side);
  const context = new OffscreenCanvas(width, height).getContext('2d', { alpha: false, willReadFrequently: true });
  if (context === null) throw unreadable('this browser cannot decode images in a worker. Use another browser');
  // css-ok: transparent pixels become white.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  onProgress('reading image', 0.5);
  const pixels = context.getImageData(0, 0, width, height).data;
  const tensor = engine.imageTensor(pixels, width, height, request.channels);
  return { type: 'decode_image', tensor, original_width: original.width, original_height: original.height };
}
