import { FILE_LIMITS } from '../protocol/file-limits';
import { count } from './elements';
import type { Loss } from './format';

/** Numbers as a text says them, one after another; it grows with what is read and no further than what is read at all. */
export class NumberList {
  length = 0;
  /** How many of those so far a float32 cannot say as they are written. */
  rounded = 0;
  private data = new Float64Array(256);

  /** Whether there was room. */
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

  /** Of all numbers from `start` on, leaves those of a range. */
  keep(start: number, from: number, to: number): void {
    this.data.copyWithin(start, from, to);
    this.length = start + to - from;
  }

  floats(from: number, to: number, rounded: number): { readonly values: Float32Array; readonly loss: Loss } {
    const values = Float32Array.from(this.data.subarray(from, to));
    const overflow = { rounded: 0, overflowed: 0 };
    for (let index = from; index < to; index += 1) {
      if (!Number.isFinite(values[index - from] ?? 0)) count(overflow, this.at(index), values[index - from] ?? 0);
    }
    return { values, loss: { rounded, overflowed: overflow.overflowed } };
  }
}
