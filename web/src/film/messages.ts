/** Between the page and the worker that makes an animation of pictures. */

export type FilmKind = 'gif' | 'webm';

/** Four bytes for each pixel: red, green, blue, and how much of it covers. What encodes them needs no canvas. */
export type Picture = Uint8ClampedArray<ArrayBuffer>;

export interface FilmForm {
  readonly kind: FilmKind;
  /** In pixels; even for WebM. */
  readonly width: number;
  readonly height: number;
}

export type FilmRequest =
  | {
      readonly kind: 'begin';
      readonly form: FilmForm;
      /** Some of the pictures, to choose colours by. */
      readonly samples: readonly Picture[];
    }
  | {
      readonly kind: 'frame';
      readonly picture: Picture;
      /** How long it is shown, in milliseconds. */
      readonly time: number;
    }
  | { readonly kind: 'end' };

export type FilmReply =
  /** The request before was done, the next is welcome. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly file: ArrayBuffer }
  | { readonly kind: 'failed'; readonly message: string };

/** What makes a file of pictures. */
export interface Encoder {
  readonly add: (picture: Picture, time: number) => Promise<void>;
  readonly finish: () => Promise<ArrayBuffer>;
}
