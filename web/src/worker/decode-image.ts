import { ConvFailure } from '../engine/failure';
import { checkCount, checkFields } from '../engine/validate';
import type { DecodeImageRequest, DecodeImageResult } from '../protocol/messages';
import type { ConvEngine } from './conv-engine';
import { sizeOfImage } from './image-size';
import type { OnProgress } from './progress';

const unreadable = (message: string): ConvFailure => new ConvFailure('image_unreadable', 'file', message);

/** Size of an image whose sides are limited to `max_side`, its proportions kept, never below one pixel. */
export function fitInto(width: number, height: number, max_side: number): { width: number; height: number } {
  const scale = Math.min(1, max_side / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Decoded, a pixel took nine bytes (Chromium, PNG): 0.6 GB at most. A camera's picture has 12 to 50 million. */
const MOST_PIXELS = 2 ** 26;

const READABLE = 'PNG, JPEG, WebP, GIF, BMP and AVIF can be opened';

async function bitmapOf(file: Blob): Promise<ImageBitmap> {
  if (!(file instanceof Blob)) throw unreadable('what was given is not a file');
  const type = file.type === '' ? 'a file of unknown type' : `a file of type ${file.type}`;
  const size = await sizeOfImage(
    async (from, count) => new DataView(await file.slice(from, from + count).arrayBuffer()),
  );
  if (!size) throw unreadable(`this is ${type}, and not an image that the page knows: ${READABLE}`);
  const { width, height } = size;
  if (width * height > MOST_PIXELS) {
    const most = Math.floor(MOST_PIXELS / 1e6);
    throw unreadable(
      `the picture has ${width} × ${height} pixels, but at most ${most} million are opened: make it smaller`,
    );
  }
  try {
    return await createImageBitmap(file, { colorSpaceConversion: 'none' });
  } catch {
    throw unreadable(`the browser cannot read it, ${type} of ${width} × ${height} pixels: it may be damaged`);
  }
}

/** Decodes with the browser's decoders, off the page's thread. Transparent pixels lie on white, as on a page. */
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
  if (context === null) throw unreadable('the browser has no canvas to decode an image on');
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
