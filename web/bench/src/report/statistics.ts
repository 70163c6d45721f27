export function geometricMean(values: readonly number[]): number {
  if (values.length === 0) return Number.NaN;
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

export const meanRatio = (choices: readonly { readonly ratio: number }[]): number =>
  geometricMean(choices.map(({ ratio }) => ratio));
