/** The part of the peers' interfaces that the benchmark uses. The type check does not need the installed packages. */

declare module 'flatbuffers' {
  export class Builder {
    constructor(initialSize?: number);
    startObject(slots: number): void;
    endObject(): number;
    startVector(elementSize: number, count: number, alignment: number): void;
    endVector(): number;
    addInt32(value: number): void;
    addOffset(offset: number): void;
    addFieldInt8(slot: number, value: number, defaultValue: number): void;
    addFieldInt32(slot: number, value: number, defaultValue: number): void;
    addFieldOffset(slot: number, offset: number, defaultValue: number): void;
    finish(root: number, fileIdentifier: string): void;
    asUint8Array(): Uint8Array;
  }
}

declare module '@litertjs/core' {
  export class Tensor {
    constructor(data: Float32Array, shape: number[]);
    toTypedArray(): Float32Array | Int32Array | Uint8Array;
    delete(): void;
  }
  export interface CompiledModel {
    run(inputs: Tensor[]): Promise<Tensor[]>;
    delete(): void;
  }
  /** The used part of Emscripten's module. HEAPU8 is a new view after the memory has grown. */
  export interface LiteRt {
    readonly liteRtWasm: { readonly HEAPU8: Uint8Array };
  }
  export function loadLiteRt(folder: string, options: { threads: boolean }): Promise<LiteRt>;
  export function loadAndCompile(
    model: Uint8Array,
    options: { accelerator: 'wasm'; cpuOptions: { numThreads: number } },
  ): Promise<CompiledModel>;
}

declare module 'onnxruntime-web/wasm' {
  export interface Tensor {
    readonly data: unknown;
  }
  export interface InferenceSession {
    readonly outputNames: readonly string[];
    run(feeds: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>;
    release(): Promise<void>;
  }
  export interface OrtModule {
    readonly env: {
      logLevel?: string;
      readonly versions: { readonly web?: string; readonly common?: string };
      readonly wasm: { numThreads?: number; wasmPaths?: string };
    };
    readonly InferenceSession: {
      create(model: Uint8Array, options: Readonly<Record<string, unknown>>): Promise<InferenceSession>;
    };
    readonly Tensor: new (type: 'float32', data: Float32Array, shape: readonly number[]) => Tensor;
  }
  export const env: OrtModule['env'];
  export const InferenceSession: OrtModule['InferenceSession'];
  export const Tensor: OrtModule['Tensor'];
}

declare module 'onnxruntime-web-training/training' {
  import type { OrtModule } from 'onnxruntime-web/wasm';
  export const env: OrtModule['env'];
  export const InferenceSession: OrtModule['InferenceSession'];
  export const Tensor: OrtModule['Tensor'];
}

declare module '@tensorflow/tfjs-backend-wasm' {
  export function setThreadsCount(threads: number): void;
  export function setWasmPaths(folder: string): void;
}

/** Without TensorFlow's rank types: the benchmark gives the shape of every tensor. */
declare module '@tensorflow/tfjs-core' {
  export interface Tensor {
    dataSync(): unknown;
    dispose(): void;
  }
  type Pad = [[number, number], [number, number], [number, number], [number, number]];
  type Pair = readonly [number, number];
  interface Fused {
    readonly x: Tensor;
    readonly filter: Tensor;
    readonly bias: Tensor;
    readonly strides: Pair;
    readonly dilations: Pair;
    readonly pad: Pad | 'same';
    readonly activation?: 'linear' | 'relu';
  }
  type Convolution = (
    x: Tensor,
    filter: Tensor,
    strides: number | Pair,
    pad: Pad | 'same',
    format?: 'NHWC',
    dilations?: Pair,
  ) => Tensor;

  export const version_core: string;
  export const fused: { conv2d(options: Fused): Tensor; depthwiseConv2d(options: Fused): Tensor };
  export const conv2d: Convolution;
  export const depthwiseConv2d: Convolution;
  export function conv2dTranspose(
    dy: Tensor,
    filter: Tensor,
    shape: readonly number[],
    strides: Pair,
    pad: Pad | 'same',
  ): Tensor;
  export function dispose(tensors: unknown): void;
  /** Runs a kernel of the backend that has no function of its own. */
  export function engine(): { runKernel(name: string, inputs: object, attributes: object): Tensor };
  export function env(): { set(flag: string, value: boolean): void };
  export function matMul(a: Tensor, b: Tensor, transposeA: boolean): Tensor;
  export function maxPool(x: Tensor, size: Pair, strides: Pair, pad: 'valid'): Tensor;
  export function mul(a: Tensor, b: Tensor | number): Tensor;
  export function reshape(value: Tensor, shape: readonly number[]): Tensor;
  export function reverse(value: Tensor, axes: readonly number[]): Tensor;
  export function setBackend(name: 'wasm'): Promise<boolean>;
  export function slice(value: Tensor, begin: readonly number[], shape: readonly number[]): Tensor;
  export function square(value: Tensor): Tensor;
  export function step(value: Tensor): Tensor;
  export function sub(a: Tensor, b: Tensor): Tensor;
  export function sum(value: Tensor, axes?: readonly number[]): Tensor;
  export function tensor1d(values: Float32Array): Tensor;
  export function tensor4d(values: Float32Array, shape: readonly number[]): Tensor;
  export function tidy<T>(work: () => T): T;
  export function transpose(value: Tensor, order: readonly number[]): Tensor;
}
