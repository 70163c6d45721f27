// The two variants have one set of types: the compiler writes it once, from the plain one.

declare module '*/conv2d-simd.mjs' {
  const createModule: typeof import('./generated/conv2d').default;
  export default createModule;
}

declare module '*/conv2d-relaxed.mjs' {
  const createModule: typeof import('./generated/conv2d').default;
  export default createModule;
}
