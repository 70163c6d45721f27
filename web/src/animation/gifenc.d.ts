/** Types of the functions that we use; the package has none. */
declare module 'gifenc' {
  type Palette = readonly (readonly [number, number, number])[];
  interface FrameOptions {
    readonly palette?: Palette;
    /** In ms; written in 1/100 s. */
    readonly delay: number;
    readonly transparent?: boolean;
    readonly transparentIndex?: number;
    /** 1: the earlier frame stays. */
    readonly dispose?: number;
    /** 0: endless. */
    readonly repeat?: number;
  }
  export function GIFEncoder(): {
    writeFrame(index: Uint8Array, width: number, height: number, options: FrameOptions): void;
    finish(): void;
    bytes(): Uint8Array<ArrayBuffer>;
  };
  export function quantize(
    rgba: Uint8Array | Uint8ClampedArray,
    colors: number,
    options?: { format: 'rgb565' },
  ): Palette;
}
