import { FILE_LIMITS } from '../protocol/file-limits';
import { count } from './elements';
import type { PrecisionLoss } from './format';

/** A growing list of numbers with a limit. */
export class NumberList {
  length = 0;
  /** Count of the numbers that float32 does not represent as written. */
  rounded = 0;
  private data = new Float64Array(256);

  /** False if the list is full. */
  push(value: number, rounded: boolean): boolean {
    if (this.length === FILE_LIMITS.elements) return false;
    if (this.length === this.data.length) {
      const longer = new Float64Array(this.length * 2);
      longer.set(this.data);
      this.data = longer;
    }
    this.data[this.length] = value;
    this.length += 1;
    if (rounded) this.rounded += 1;
    return true;
  }

  at(index: number): number {
    return this.data[index] ?? 0;
  }

  /** Replaces all numbers from `start` on by those of a range. */
  keep(start: number, from: number, to: number): void {
    this.data.copyWithin(start, from, to);
    this.length = start + to - from;
  }

  /** Negates a range. 0 stays 0: Python has no integer -0. */
  negate(from: number, to: number): void {
    for (let index = from; index < to; index += 1) this.data[index] = 0 - this.at(index);
  }

  floats(from: number, to: number, rounded: number): { readonly values: Float32Array; readonly loss: PrecisionLoss } {
    const values = Float32Array.from(this.data.subarray(from, to));
    const overflow = { rounded: 0, overflowed: 0 };
    for (let index = from; index < to; index += 1) {
      if (!Number.isFinite(values[index - from] ?? 0)) count(overflow, this.at(index), values[index - from] ?? 0);
    }
    return { values, loss: { rounded, overflowed: overflow.overflowed } };
  }
}
