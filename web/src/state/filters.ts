import type { FilterName } from './sources';

/** Image kernels, row by row. Sums are 0 (they show change) or 1 (they keep brightness). */
export const KERNELS: Readonly<Record<FilterName, readonly (readonly number[])[]>> = {
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
  // Binomial; the sixteenths are exact in float32.
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

/** The kernel's value at a tap of a kh x kw filter, the kernel in its middle; 0 outside of it. */
export function kernelValue(name: FilterName, tapRow: number, tapCol: number, kh: number, kw: number): number {
  const row = tapRow - Math.floor((kh - KERNEL_SIZE) / 2);
  const col = tapCol - Math.floor((kw - KERNEL_SIZE) / 2);
  return KERNELS[name][row]?.[col] ?? 0;
}
