import type { ModuleVariant, RunReport } from '../../../protocol/messages';
import type { AlgorithmInfo } from '../../../protocol/questions';
import { formatBytes, formatCount, formatMilliseconds, formatScientific } from '../../../ui/quantities';

export const VARIANTS: Readonly<Record<ModuleVariant, string>> = {
  simd: 'WebAssembly, 128-bit SIMD',
  relaxed: 'WebAssembly, relaxed SIMD with fused multiply-add',
};

/** Unsupported algorithms last; otherwise the library's order, because a description may refer to the one before. */
export const fitFirst = (list: readonly AlgorithmInfo[]): readonly AlgorithmInfo[] =>
  [...list].sort((a, b) => Number(b.supported) - Number(a.supported));

export const ranIn = ({ milliseconds, threads }: RunReport): string =>
  `in ${formatMilliseconds(milliseconds)}${threads > 1 ? ` on ${threads} threads` : ''}`;

/** An estimated cost relative to the lowest one for this problem. */
export function costText(cost: number, cheapest: number): string {
  const times = cost / cheapest;
  // A difference below 5 % is not visible in two digits; 0 / 0 if there is nothing to compute.
  if (!(times >= 1.05)) return cost > cheapest ? 'near the lowest cost' : 'lowest cost';
  return `${times < 10 ? times.toFixed(1) : formatCount(Math.round(times))}× the lowest cost`;
}

/** Memory besides the tensors; a float has 4 bytes. */
export const memoryText = (floats: number): string =>
  floats === 0 ? 'no extra memory' : `${formatBytes(floats * 4)} extra`;

/** A bound of 0 is that of the reference, which the other bounds are relative to. AllPasses explains the sums. */
export function boundText({ error_bound, mixes_cells }: Pick<AlgorithmInfo, 'error_bound' | 'mixes_cells'>): string {
  if (error_bound === 0) return 'rounded once';
  const bound = `error ≤ ${formatScientific(error_bound * 2 ** -24, 2)}`;
  return mixes_cells ? `${bound} × largest possible sum` : `${bound} × Σ|a·b|`;
}
