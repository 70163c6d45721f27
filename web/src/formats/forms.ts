/**
 * Words that programs print before and after the brackets of an array, and those of a declaration in source.
 * `says`: the meaning of the numbers in the first group. They are checked and are never values.
 */

export interface Form {
  readonly pattern: RegExp;
  readonly says: 'nothing' | 'shape' | 'items';
  /** The bracket that ends the form. */
  readonly close?: string;
}

export const BEFORE: readonly Form[] = [
  // PyTorch
  { pattern: /Parameter containing:\s*/y, says: 'nothing' },
  // TensorFlow.js; the second one of print(true).
  { pattern: /Tensor\s+dtype: \w+\s+rank: \d+\s+shape: \[([\d, ]*)\]\s+values:\s+/y, says: 'shape' },
  { pattern: /Tensor[^\S\n]*\n\s*(?=[[\d.-])/y, says: 'nothing' },
  // Node and browsers: Float32Array(4) [ … ], (2) [ … ]
  { pattern: /(?:\w*Array)?\((\d+)\)\s+(?=\[)/y, says: 'items' },
  { pattern: /\w*Array\((\d+)\)(?=\[)/y, says: 'items' },
  { pattern: /\w+Array\s+(?=\[)/y, says: 'nothing' },
  { pattern: /Map\(\d+\)\s+(?=\{)/y, says: 'nothing' },
  // JavaScript, Java, C#
  { pattern: /new\s+(?:\w+\s*(?:\[[\d, ]*\]\s*)+(?=\{))?/y, says: 'nothing' },
  // Julia
  { pattern: /(?:Float|U?Int)\d+(?=\[)/y, says: 'nothing' },
  // Go
  { pattern: /(?:\[\d*\])+[A-Za-z]\w*(?=\{)/y, says: 'nothing' },
  // Rust
  { pattern: /&?(?:vec|array|arr\d)!\s*(?=[[(])/y, says: 'nothing' },
  // C++
  { pattern: /(?:std::)?(?:vector|array|initializer_list|valarray)<[^;={}()]{1,80}>\s*(?=\{)/y, says: 'nothing' },
  { pattern: /\((?:const )?(?:float|double|int)\s*(?:\[\d*\])+\)\s*(?=\{)/y, says: 'nothing' },
  // Elixir
  {
    pattern: /#Nx\.Tensor<\s*[a-z]+\d+((?:\[\d+\])*)\s*(?:[\w.]+<[^<>\n]*>\s*)?/y,
    says: 'shape',
    close: '>',
  },
  // XLA: f32[2,2]{1,0} { … }
  { pattern: /(?:f|bf|s|u)\d+\[([\d,]*)\](?:\{[\d,]*\})?\s*(?=[{(])/y, says: 'shape' },
  // MLIR
  { pattern: /(?:[\w.]+\.constant\s+)?dense</y, says: 'nothing', close: '>' },
  {
    pattern: /Unranked Memref [^[\]\n]*sizes = \[([\d, ]*)\] strides = \[[\d, ]*\] data =\s*/y,
    says: 'shape',
  },
  // xarray, TVM
  { pattern: /<xarray\.DataArray[^\n]*\n\s*/y, says: 'nothing' },
  { pattern: /<tvm\.[\w.]*NDArray shape=\(([\d, ]*)\)[^\n>]*>\s*(?=array)/y, says: 'shape' },
];

export const AFTER: readonly Form[] = [
  // libtorch and R torch: [ CPUFloatType{2,2} ]
  {
    pattern: /\s*\[ ?(?:Variable\[)?\w+Type\]?\{([\d, ]*)\} ?\](?:\[ (?:requires_grad|grad_fn) = [^\n]*\])?/y,
    says: 'shape',
  },
  // Torch 7 and early PyTorch
  { pattern: /\s*\[torch\.[\w.]+ of (?:size|dimension) ([\dx]+)(?: \(GPU \d+\))?\]/y, says: 'shape' },
  // MXNet
  { pattern: /\s*<NDArray ([\dx]+) @\w+\(\d+\)>/y, says: 'shape' },
  // Candle
  { pattern: /\s*Tensor\[\[([\d, ]*)\], \w+(?:, [\w:]+)?\]/y, says: 'shape' },
  // ndarray of Rust
  { pattern: /\s*, shape=\[([\d, ]*)\], strides=\[[-\d, ]*\], layout=[^\n]*?ndim=\d+/y, says: 'shape' },
  // MLIR
  { pattern: /[^\S\n]*:[^\S\n]*(?:tensor|vector|memref)<((?:\d+x)*)\w+>/y, says: 'shape' },
  // xarray
  { pattern: /\s*Dimensions without coordinates: [\w, ]+/y, says: 'nothing' },
];

/** "2,2", "2x2", "[2][2]" */
export const sizesIn = (text: string): readonly number[] => (text.match(/\d+/g) ?? []).map(Number);

/** Calls that do not change the numbers in their brackets. Every other call is a computation. */
export const CONSTRUCTOR = new RegExp(
  '(?:^|[.:])(?:array|as(?:any|contiguous|fortran)?array|matrix|Matrix|memmap|masked_array|list|tuple|from_numpy|' +
    'as_tensor|tensor|tensor[1-6]d|\\w*Tensor|Parameter|Buffer|\\w*Array|ArrayImpl|Variable|variable|VariableState|' +
    'Param|constant|convert_to_tensor|arr[1-3]|\\w+Array\\.from|' +
    'b?float\\d*|u?int\\d*|double|single|half|bool_?|dict_values)$',
);

/** Calls with the entries of a dictionary. */
export const DICTIONARY = /^(?:[\w.]+\.)?(?:\w*Dict|dict|State|dict_items|odict_items|mappingproxy)$/;

/** Methods that keep every number. */
export const KEEPS =
  /\.(?:(?:detach|cpu|cuda|numpy|clone|copy|contiguous|float|double|tolist|requires_grad_|arraySync|dataSync|item)\((?:True|False)?\)|to\(\s*(?:device|torch\.float(?:32|64)|['"][\w:]+['"])\s*\)|astype\(\s*['"]?(?:(?:np|numpy|jnp)\.)?(?:float(?:32|64)?|single|double|[<>]?f[48])['"]?\s*\))/y;
