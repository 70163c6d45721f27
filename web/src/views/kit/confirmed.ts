export type Precision = 'float32' | 'float64';

/** The library's verdicts on a gradient. At a kink ReLU changes its sign within the step, at a tie max pooling its winner. */
export const VERDICT = {
  confirmed: 0,
  withinRounding: 1,
  notAtThisStep: 2,
  wrong: 3,
  atKink: 4,
  atTie: 5,
  undecided: 6,
} as const;

/** False for NaN, the verdict on hidden values. */
export const isConfirmed = (verdict: number): boolean => verdict <= VERDICT.withinRounding;
