import type { AlgorithmInfo, ModuleVariant, RunReport } from '../../../protocol/messages';
import { formatBytes, formatCount, formatMilliseconds, formatScientific } from '../../../ui/quantities';

export const VARIANTS: Readonly<Record<ModuleVariant, string>> = {
  simd: 'WebAssembly, 128-bit SIMD',
  relaxed: 'WebAssembly, relaxed SIMD with fused multiply-add',
};

/** The library's own order, in which a sentence may speak of the one before; those that cannot run here come last. */
export const fitFirst = (list: readonly AlgorithmInfo[]): readonly AlgorithmInfo[] =>
  [...list].sort((a, b) => Number(b.supported) - Number(a.supported));

export const ranIn = ({ milliseconds, threads }: RunReport): string =>
  `in ${formatMilliseconds(milliseconds)}${threads > 1 ? ` on ${threads} threads` : ''}`;

/** The library's estimate, beside the smallest one for this problem. */
export function costText(cost: number, cheapest: number): string {
  const times = cost / cheapest;
  // The difference is not seen in two digits, or nothing is to be done at all.
  if (!(times >= 1.05)) return cost > cheapest ? 'about the cheapest' : 'the cheapest';
  return `${times < 10 ? times.toFixed(1) : formatCount(Math.round(times))} times the cheapest`;
}

/** Memory besides the tensors; a number takes four bytes. */
export const memoryText = (floats: number): string =>
  floats === 0 ? 'no extra memory' : `${formatBytes(floats * 4)} extra`;

/** A bound of 0 is the reference's: it is what the bounds of the others are measured from. What it is a part of, AllPasses explains. */
export function boundText({ error_bound, mixes_cells }: Pick<AlgorithmInfo, 'error_bound' | 'mixes_cells'>): string {
  if (error_bound === 0) return 'rounded once';
  const bound = `rounding ≤ ${formatScientific(error_bound * 2 ** -24, 2)}`;
  return mixes_cells ? `${bound} of the largest possible sum` : `${bound} of the value’s own sum`;
}
