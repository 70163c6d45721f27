import type { TensorEntry } from './tensor-entry';

export const FILTER_NAMES = ['identity', 'sobel_x', 'sobel_y', 'blur', 'sharpen', 'emboss', 'outline'] as const;
export type FilterName = (typeof FILTER_NAMES)[number];

const LABELS: Readonly<Record<FilterName, string>> = {
  identity: 'identity',
  sobel_x: 'Sobel, left to right',
  sobel_y: 'Sobel, top to bottom',
  blur: 'blur',
  sharpen: 'sharpen',
  emboss: 'emboss',
  outline: 'outline',
};

/** Image kernels, row by row. The sum is 0 (shows change) or 1 (keeps brightness). */
const KERNELS: Readonly<Record<FilterName, readonly (readonly number[])[]>> = {
  identity: [
    [0, 0, 0],
    [0, 1, 0],
    [0, 0, 0],
  ],
  sobel_x: [
    [-1, 0, 1],
    [-2, 0, 2],
    [-1, 0, 1],
  ],
  sobel_y: [
    [-1, -2, -1],
    [0, 0, 0],
    [1, 2, 1],
  ],
  // Binomial; multiples of 1/16 are exact in float32.
  blur: [
    [0.0625, 0.125, 0.0625],
    [0.125, 0.25, 0.125],
    [0.0625, 0.125, 0.0625],
  ],
  sharpen: [
    [0, -1, 0],
    [-1, 5, -1],
    [0, -1, 0],
  ],
  emboss: [
    [-2, -1, 0],
    [-1, 1, 1],
    [0, 1, 2],
  ],
  outline: [
    [-1, -1, -1],
    [-1, 8, -1],
    [-1, -1, -1],
  ],
};

export const KERNEL_SIZE = 3;

/** Value at a tap of a kh x kw filter with the kernel in its middle; 0 outside the kernel. */
function kernelValue(name: FilterName, tapRow: number, tapCol: number, kh: number, kw: number): number {
  const row = tapRow - Math.floor((kh - KERNEL_SIZE) / 2);
  const col = tapCol - Math.floor((kw - KERNEL_SIZE) / 2);
  return KERNELS[name][row]?.[col] ?? 0;
}

/** An image kernel in the middle of every filter; filter k reads channel k modulo the channels. */
interface Filter {
  readonly kind: 'filter';
  readonly name: FilterName;
}

export const filter: TensorEntry<Filter> = {
  kind: 'filter',
  inputs: ['w'],
  menu: FILTER_NAMES.map((name) => ({
    label: LABELS[name],
    make: () => ({ kind: 'filter', name }),
    is: (source) => source.name === name,
  })),
  title: ({ name }) => LABELS[name],
  words: ['filter'],
  write: ({ name }) => ['filter', name],
  read(_word, argument) {
    const name = FILTER_NAMES.find((candidate) => candidate === argument);
    return name === undefined ? null : { kind: 'filter', name };
  },
  values:
    ({ name }, { sizes: [rows, cols, channels] }) =>
    (p, q, channel, filterIndex) =>
      channel === filterIndex % channels ? kernelValue(name, p, q, rows, cols) : 0,
};
