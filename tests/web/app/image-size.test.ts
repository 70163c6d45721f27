import { describe, expect, test } from 'vitest';
import { decodeImage, sizeOfImage } from '../../../web/src/app/page/decode-image';

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(Buffer.from(base64, 'base64'));
const ascii = (text: string): number[] => [...Buffer.from(text, 'latin1')];

function sizeOf(bytes: Uint8Array, reads: number[] = []) {
  return sizeOfImage(async (from, count) => {
    reads.push(from);
    return new DataView(bytes.slice(from, from + count).buffer);
  });
}

/** 13 x 7 pixels as written by Chromium 156 (OffscreenCanvas.convertToBlob), up to the size. */
const JPEG_START = '/9j/4AAQSkZJRgABAQAAAQABAAD/';
const JPEG_SIZE = '/8AAEQgABwANAwEiAAIRAQMRAf/EABUAAQEAAAAAAAAAAAAAAAAAAAAE';
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAA0AAAAHCAYAAADTcMcaAAAAIklEQVR4AeyQoQ0AAAzCCNfva2Z4ADRNKmtKnJRKFCzytAcAAP//';
const WEBP = 'UklGRhoCAABXRUJQVlA4WAoAAAAgAAAADAAABgAASUNDUMgBAAAAAAHI';
const LOSSY = 'VlA4ICwAAADQAQCdASoNAAcAAsBMJaACdLoB+AADsAD+34A/84l0DbXof/82Bqiz';
const LOSSLESS = 'VlA4TBAAAAAvDIABAAdQxOh//wMR0f8=';

/** A JPEG segment that a reader skips. */
const segment = (marker: number, length: number): Uint8Array => {
  const bytes = new Uint8Array(2 + length);
  bytes.set([0xff, marker, length >> 8, length & 255]);
  return bytes;
};

const joined = (...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]));

const THIRTEEN_BY_SEVEN = { width: 13, height: 7 };
/** "RIFF", the length of the file, "WEBP". */
const riff = [...ascii('RIFF'), 0, 0, 0, 0, ...ascii('WEBP')];

describe('the size in the header of an image', () => {
  test.each([
    ['PNG', bytesOf(PNG)],
    ['WebP with a profile', bytesOf(WEBP)],
    ['WebP, lossy', joined(riff, bytesOf(LOSSY))],
    ['WebP, lossless', joined(riff, bytesOf(LOSSLESS))],
    // https://www.w3.org/Graphics/GIF/spec-gif89a.txt, 18
    ['GIF', joined(ascii('GIF89a'), [13, 0, 7, 0, 0x80, 0, 0])],
    // BITMAPINFOHEADER, rows from top to bottom; BITMAPCOREHEADER
    ['BMP', joined(ascii('BM'), Array(12).fill(0), [40, 0, 0, 0, 13, 0, 0, 0, 0xf9, 0xff, 0xff, 0xff, 1, 0])],
    ['BMP of OS/2', joined(ascii('BM'), Array(12).fill(0), [12, 0, 0, 0, 13, 0, 7, 0, 1, 0])],
    // ISO/IEC 23008-12, 6.5.3: a tile and the whole image
    [
      'AVIF',
      joined(
        [0, 0, 0, 20],
        ascii('ftypavif'),
        [0, 0, 0, 0, 0, 0, 0, 20],
        ascii('ispe'),
        [0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 5, 0, 0, 0, 20],
        ascii('ispe'),
        [0, 0, 0, 0, 0, 0, 0, 13, 0, 0, 0, 7],
      ),
    ],
  ])('is read: %s', async (_name, bytes) => {
    expect(await sizeOf(bytes)).toEqual(THIRTEEN_BY_SEVEN);
  });

  test('of a JPEG is read without reading the segments before it', async () => {
    const start = bytesOf(JPEG_START).slice(0, 20);
    const long = [segment(0xe1, 65_000), segment(0xe2, 60_000), segment(0xdb, 65)];
    const reads: number[] = [];
    const jpeg = joined(start, ...long, [0xff], bytesOf(JPEG_SIZE));
    expect(await sizeOf(jpeg, reads)).toEqual(THIRTEEN_BY_SEVEN);
    expect(reads.length).toBeLessThan(10);
    expect(await sizeOf(joined(start, bytesOf(JPEG_SIZE)))).toEqual(THIRTEEN_BY_SEVEN);
  });

  test('is null if it is missing', async () => {
    for (const bytes of [
      bytesOf(''),
      joined(ascii('not a picture')),
      joined(ascii('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')),
      bytesOf(PNG).slice(0, 20),
      joined(bytesOf(JPEG_START).slice(0, 20), segment(0xe1, 100)),
      joined(bytesOf(JPEG_START).slice(0, 20), Array(100).fill(0xff)),
      joined(bytesOf(JPEG_START).slice(0, 20), [0xff, 0xe1, 0, 0]),
      joined(riff, ascii('VP9 ')),
    ]) {
      expect(await sizeOf(bytes)).toBeNull();
    }
  });
});

test.each([
  [
    'a PNG with text after its first bytes',
    'image/png',
    [...ascii('\x89PNG\r\n\x1a\n'), ...ascii('this is not a picture at all')],
  ],
  ['a text that starts like a BMP', 'image/bmp', ascii('BMW is a maker of cars and of motorcycles')],
  // The browser cannot decode it: here there is none.
  ['a PNG of no pixels', 'image/png', [...ascii('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'), 0, 0, 0, 0, 0, 0, 0, 0]],
])('%s is damaged, and its bytes are not given as a size', async (_, type, bytes) => {
  const file = new Blob([Uint8Array.from(bytes)], { type });
  expect(await decodeImage(file, 8)).toBe(`the browser cannot read a file of type ${type}. It may be damaged`);
});
