/** Red, green and blue, 0..1 each (values outside are clamped). */
export type Rgb = readonly [number, number, number];

/**
 * An image as a function of the position, for any size: first of the column u, so that work for a column is shared,
 * then of the row v. u is 0 at the left and 1 at the right of the largest centered square, v is 0 at its top and 1 at
 * its bottom. Wide images exceed 0..1 in u, tall images in v.
 */
export type Painter = (u: number) => (v: number) => Rgb;
