// All variants have the same types, generated from the simd build.

declare module '*/conv2d-simd.mjs' {
  const createModule: typeof import('./generated/conv2d').default;
  export default createModule;
}

declare module '*/conv2d-relaxed.mjs' {
  const createModule: typeof import('./generated/conv2d').default;
  export default createModule;
}

declare module '*/conv2d-threads.mjs' {
  interface Options {
    /** Number of threads, including the calling one. */
    readonly threads: number;
    /** The address of the .wasm file. */
    readonly locateFile: (name: string) => string;
    /** Starts a worker from the loader's file. */
    readonly startWorker: (options: WorkerOptions) => Worker;
  }
  const createModule: (options: Options) => ReturnType<typeof import('./generated/conv2d').default>;
  export default createModule;
}

declare module '*/mistakes.mjs' {
  const createModule: typeof import('./generated/mistakes').default;
  export default createModule;
}

declare module '*/digits.mjs' {
  const createModule: typeof import('./generated/digits').default;
  export default createModule;
}

declare module '*/check.mjs' {
  const createModule: typeof import('./generated/check').default;
  export default createModule;
}
