/** Red, green and blue, 0..1 each (values outside are clamped). */
export type Rgb = readonly [number, number, number];

/**
 * A picture as a function of place, so that it can be drawn at any size: first the column, for which the painter may
 * prepare something, then the row. u runs from 0 at the left to 1 at the right of the largest centred square, v from 0
 * at its top to 1 at its bottom; wide pictures go beyond 0..1 in u, tall ones in v.
 */
export type Painter = (u: number) => (v: number) => Rgb;
