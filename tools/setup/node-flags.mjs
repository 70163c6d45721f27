// Older Node versions run relaxed SIMD only with a flag; newer ones reject the flag.

// (module (func (drop (i32x4.relaxed_trunc_f32x4_s (v128.const i64x2 0 0)))))
const relaxedModule = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 26, 1, 24, 0, 253, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 253, 129, 2, 26, 11,
]);

/** The flags that enable relaxed SIMD in this Node; empty if it is enabled by default. */
export function relaxedSimdFlags() {
  return WebAssembly.validate(relaxedModule) ? [] : ['--experimental-wasm-relaxed-simd'];
}
