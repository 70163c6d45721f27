export type Precision = 'float32' | 'float64';

/** The library's verdicts on a gradient, from best to worst. */
export const VERDICT = { confirmed: 0, withinRounding: 1, notAtThisStep: 2, wrong: 3 } as const;

/** False for NaN, the verdict on hidden values. */
export const isConfirmed = (verdict: number): boolean => verdict <= VERDICT.withinRounding;
