/** What an engine can do, as the page in it says. */
export interface Abilities {
  readonly simd: boolean;
  readonly relaxedSimd: boolean;
  /** Shared memory in WebAssembly, in the page as it was served. */
  readonly sharedMemory: boolean;
  readonly processors: number;
}

/** A module of one function `() -> v128`, or with `memory`, of a shared memory alone. https://webassembly.github.io/spec/core/binary */
const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const splats = (count: number) => Array.from({ length: count }, () => [0x41, 0x00, 0xfd, 0x0f]).flat();
const moduleOf = (instructions: readonly number[]) => [
  ...HEADER,
  ...[0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7b],
  ...[0x03, 0x02, 0x01, 0x00],
  ...[0x0a, instructions.length + 4, 0x01, instructions.length + 2, 0x00, ...instructions, 0x0b],
];

/** The instructions that make the difference: f32x4.mul, f32x4.relaxed_madd, and a memory that is shared. */
const MODULES = {
  simd: moduleOf([...splats(2), 0xfd, 0xe6, 0x01]),
  relaxedSimd: moduleOf([...splats(3), 0xfd, 0x85, 0x02]),
  sharedMemory: [...HEADER, 0x05, 0x04, 0x01, 0x03, 0x01, 0x01],
};

/** Asks the engine itself, past everything that the page knows of it: to be evaluated in the page. */
export const ABILITIES = `(() => {
  const valid = (bytes) => WebAssembly.validate(new Uint8Array(bytes));
  return {
    simd: valid(${JSON.stringify(MODULES.simd)}),
    relaxedSimd: valid(${JSON.stringify(MODULES.relaxedSimd)}),
    sharedMemory: crossOriginIsolated && valid(${JSON.stringify(MODULES.sharedMemory)}),
    processors: navigator.hardwareConcurrency,
  };
})()`;

export type Module = 'relaxed' | 'simd';

/** The module that a page in such an engine has to run. */
export const moduleFor = ({ relaxedSimd }: Abilities): Module => (relaxedSimd ? 'relaxed' : 'simd');

/** Why a page in such an engine has to compute a large problem on one thread, or null when it has not. */
export function whyOneThread({ relaxedSimd, sharedMemory, processors }: Abilities): string | null {
  if (!relaxedSimd) return 'the module with threads needs relaxed SIMD, which this engine does not have';
  if (!sharedMemory) return 'this engine shares no memory between threads';
  return processors > 1 ? null : 'this machine has one processor';
}
