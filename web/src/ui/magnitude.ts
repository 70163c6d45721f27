/** A value without its sign, to compare; 0 if it is not finite or hidden. Not in quantities.ts, which the second chunk has. */
export const magnitudeOf = (value: number): number => (Number.isFinite(value) ? Math.abs(value) : 0);
