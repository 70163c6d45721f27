export type Precision = 'float32' | 'float64';

/**
 * Relative errors up to here are rounding: the gradient is confirmed. The kernel's own is float32, in whichever precision
 * the quotient is.
 */
const CONFIRMED: Readonly<Record<Precision, number>> = { float32: 1e-3, float64: 1e-4 };

export const isConfirmed = (precision: Precision, relative: number): boolean => relative <= CONFIRMED[precision];
