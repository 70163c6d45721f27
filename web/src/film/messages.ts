/** Messages between the page and the worker that encodes an animation. */

export type FilmKind = 'gif' | 'mp4' | 'webm';

/** RGBA, four bytes for each pixel. The encoders need no canvas. */
export type FramePixels = Uint8ClampedArray<ArrayBuffer>;

export interface FilmForm {
  readonly kind: FilmKind;
  /** In pixels; even numbers for video. */
  readonly width: number;
  readonly height: number;
}

export type FilmRequest =
  | {
      readonly kind: 'begin';
      readonly form: FilmForm;
      /** Some of the frames, to choose colors from. */
      readonly samples: readonly FramePixels[];
    }
  | {
      readonly kind: 'frame';
      readonly pixels: FramePixels;
      /** Duration in ms. */
      readonly time: number;
    }
  | { readonly kind: 'end' };

export type FilmReply =
  /** The request is done; the next one can be sent. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly file: ArrayBuffer }
  | { readonly kind: 'failed'; readonly message: string };

/** An encoder. */
export interface Encoder {
  readonly add: (pixels: FramePixels, time: number) => Promise<void>;
  readonly finish: () => Promise<ArrayBuffer>;
}
