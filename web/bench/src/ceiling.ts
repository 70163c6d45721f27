/** Peak speed for the roofline: multiply-adds on registers, in a WebAssembly module that is assembled here. */

/**
 * Independent chains. V8 has 15 usable vector registers on x86-64: 12 chains hide the latency of a multiply and an add on
 * two units each, and leave registers for the two factors.
 */
const CHAINS = 12;
/**
 * Iterations per call, which takes microseconds. V8 does not replace a running loop by optimized code, so the loop must be
 * entered again and again.
 */
const ITERATIONS = 1000;
const FLOPS_PER_CALL = ITERATIONS * CHAINS * 4 * 2;
const CALLS = 200;

export type CeilingKind = 'relaxed' | 'simd';

const F32X4_SPLAT = [0xfd, 0x13];
const F32X4_EXTRACT_0 = [0xfd, 0x1f, 0];
const F32X4_ADD = [0xfd, 0xe4, 0x01];
const F32X4_MUL = [0xfd, 0xe6, 0x01];
const F32X4_RELAXED_MADD = [0xfd, 0x85, 0x02];
const [I32, F32, V128] = [0x7f, 0x7d, 0x7b];

const localGet = (index: number) => [0x20, index];
const localSet = (index: number) => [0x21, index];
const f32Const = (value: number) => [0x43, ...new Uint8Array(new Float32Array([value]).buffer)];

function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

const vector = (items: readonly (readonly number[])[]) => [...unsigned(items.length), ...items.flat()];
const sized = (bytes: readonly number[]) => [...unsigned(bytes.length), ...bytes];
const section = (id: number, bytes: readonly number[]) => [id, ...sized(bytes)];

/** (func (export "run") (param $iterations i32) (result f32) ...): every chain is acc = acc * factor + term. */
function assemble(kind: CeilingKind): Uint8Array<ArrayBuffer> {
  const [iterations, factor, term, firstChain] = [0, 1, 2, 3];
  const chains = Array.from({ length: CHAINS }, (_, i) => firstChain + i);
  // Every step depends on the previous one, so that nothing can be moved out of the loop.
  const multiplyAdd = kind === 'relaxed' ? F32X4_RELAXED_MADD : undefined;
  const step = (acc: number) =>
    multiplyAdd
      ? [...localGet(acc), ...localGet(factor), ...localGet(term), ...multiplyAdd, ...localSet(acc)]
      : [...localGet(acc), ...localGet(factor), ...F32X4_MUL, ...localGet(term), ...F32X4_ADD, ...localSet(acc)];
  const body = [
    ...vector([[...unsigned(2 + CHAINS), V128]]),
    ...[...f32Const(0.5), ...F32X4_SPLAT, ...localSet(factor)],
    ...[...f32Const(1), ...F32X4_SPLAT, ...localSet(term)],
    ...chains.flatMap((acc) => [...f32Const(acc), ...F32X4_SPLAT, ...localSet(acc)]),
    ...[0x03, 0x40], // loop
    ...chains.flatMap(step),
    ...[...localGet(iterations), 0x41, 1, 0x6b, 0x22, iterations, 0x0d, 0, 0x0b], // iterations = iterations - 1; branch while not zero; end
    ...chains.flatMap((acc, i) => [...localGet(acc), ...(i > 0 ? F32X4_ADD : [])]),
    ...F32X4_EXTRACT_0,
    0x0b,
  ];
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, vector([[0x60, ...vector([[I32]]), ...vector([[F32]])]])),
    ...section(3, vector([[0]])),
    ...section(7, vector([[...sized([...new TextEncoder().encode('run')]), 0, 0]])),
    ...section(10, vector([sized(body)])),
  ]);
}

/** A function that computes for some milliseconds and returns the GFLOP/s it reached; the median of many is the ceiling. */
export async function loadCeiling(kind: CeilingKind): Promise<() => number> {
  const { instance } = await WebAssembly.instantiate(assemble(kind));
  const run = instance.exports.run as (iterations: number) => number;
  return () => {
    const start = performance.now();
    for (let i = 0; i < CALLS; i += 1) run(ITERATIONS);
    return (CALLS * FLOPS_PER_CALL) / (performance.now() - start) / 1e6;
  };
}
