/** Largest relative error of an entrant that is timed. Winograd F(4x4, 3x3) is below it, a wrong tap above. */
export const TOLERANCE = 1e-4;

const SMALLEST_NORMAL = 2 ** -126;

/** Subnormal floats slow arithmetic down a hundredfold on many processors. */
export const isSubnormal = (value: number): boolean => value !== 0 && Math.abs(value) < SMALLEST_NORMAL;

/** max |actual - expected| / max |expected|; infinite if the lengths differ or a value is NaN. */
export function relativeError(actual: Float32Array, expected: Float32Array): number {
  if (actual.length !== expected.length) return Number.POSITIVE_INFINITY;
  let worst = 0;
  let scale = 0;
  for (let i = 0; i < expected.length; i += 1) {
    const difference = Math.abs((actual[i] ?? 0) - (expected[i] ?? 0));
    if (Number.isNaN(difference)) return Number.POSITIVE_INFINITY;
    worst = Math.max(worst, difference);
    scale = Math.max(scale, Math.abs(expected[i] ?? 0));
  }
  return scale > 0 ? worst / scale : worst;
}
