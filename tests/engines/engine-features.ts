/** Features of an engine, as detected in the page. */
export interface EngineFeatures {
  readonly simd: boolean;
  readonly relaxedSimd: boolean;
  /** Shared memory in WebAssembly, in the page as served. */
  readonly sharedMemory: boolean;
  readonly processors: number;
}

/**
 * A module with one function `() -> v128`, or with `memory`, only a shared memory.
 * https://webassembly.github.io/spec/core/binary
 */
const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const splats = (count: number) => Array.from({ length: count }, () => [0x41, 0x00, 0xfd, 0x0f]).flat();
const moduleOf = (instructions: readonly number[]) => [
  ...HEADER,
  ...[0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7b],
  ...[0x03, 0x02, 0x01, 0x00],
  ...[0x0a, instructions.length + 4, 0x01, instructions.length + 2, 0x00, ...instructions, 0x0b],
];

/** The instructions that decide: f32x4.mul, f32x4.relaxed_madd, and a shared memory. */
const MODULES = {
  simd: moduleOf([...splats(2), 0xfd, 0xe6, 0x01]),
  relaxedSimd: moduleOf([...splats(3), 0xfd, 0x85, 0x02]),
  sharedMemory: [...HEADER, 0x05, 0x04, 0x01, 0x03, 0x01, 0x01],
};

/** Detects the features without code of the page; evaluated in the page. */
export const DETECT_FEATURES = `(() => {
  const valid = (bytes) => WebAssembly.validate(new Uint8Array(bytes));
  return {
    simd: valid(${JSON.stringify(MODULES.simd)}),
    relaxedSimd: valid(${JSON.stringify(MODULES.relaxedSimd)}),
    sharedMemory: crossOriginIsolated && valid(${JSON.stringify(MODULES.sharedMemory)}),
    processors: navigator.hardwareConcurrency,
  };
})()`;

export type Module = 'relaxed' | 'simd';

/** The module that the page must run in such an engine. */
export const moduleFor = ({ relaxedSimd }: EngineFeatures): Module => (relaxedSimd ? 'relaxed' : 'simd');

/** The reason why the page computes a large problem on one thread in such an engine, or null if it uses several. */
export function singleThreadReason({ relaxedSimd, sharedMemory, processors }: EngineFeatures): string | null {
  if (!relaxedSimd) return 'the module with threads needs relaxed SIMD, which this engine does not have';
  if (!sharedMemory) return 'this engine shares no memory between threads';
  return processors > 1 ? null : 'this machine has one processor';
}
