/** What we use of it; it brings no types. */
declare module 'gifenc' {
  type Palette = readonly (readonly [number, number, number])[];
  interface FrameOptions {
    readonly palette?: Palette;
    /** In milliseconds; written in hundredths of a second. */
    readonly delay: number;
    readonly transparent?: boolean;
    readonly transparentIndex?: number;
    /** 1: what was drawn stays. */
    readonly dispose?: number;
    /** 0: for ever. */
    readonly repeat?: number;
  }
  export function GIFEncoder(): {
    writeFrame(index: Uint8Array, width: number, height: number, options: FrameOptions): void;
    finish(): void;
    bytes(): Uint8Array<ArrayBuffer>;
  };
  export function quantize(
    rgba: Uint8Array | Uint8ClampedArray,
    colours: number,
    options?: { format: 'rgb565' },
  ): Palette;
}
