/** A GIF is made frame by frame, in a worker: large frames would block the page. */

/** RGBA, four bytes for each pixel. */
export type FramePixels = Uint8ClampedArray<ArrayBuffer>;

/** Size of each frame in pixels. */
export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

/** To the worker; each waits for the answer to the one before. `samples` are some of the frames. */
export type AnimationRequest =
  | { readonly size: FrameSize; readonly samples: readonly FramePixels[] }
  /** `time`: duration in ms. */
  | { readonly pixels: FramePixels; readonly time: number }
  | { readonly end: true };

/** `file`: after the end. */
export type AnimationReply = { readonly file?: ArrayBuffer | undefined } | { readonly failure: string };
