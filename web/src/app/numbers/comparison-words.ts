import type { Agreement, ResultComparison } from '../../protocol/questions';
import { formatExact } from '../../ui/numbers';

/** The tightest tolerance within which all values match; null if there is none. */
export const agreementOf = ({ agreements, difference }: ResultComparison): Agreement | null =>
  agreements.find(({ cells }) => cells === difference.data.length) ?? null;

/** "✗ 12 of 64 values of y differ." */
export function comparisonText(result: string, comparison: ResultComparison): string {
  const all = comparison.difference.data.length;
  const values = all === 1 ? `The only value of ${result} matches` : `All ${all} values of ${result} match`;
  if (comparison.worst === null) return `✓ ${values} exactly.`;
  const agreement = agreementOf(comparison);
  if (agreement) return `✓ ${values} ${agreement.how}.`;
  const differ = all - (comparison.agreements[0]?.cells ?? 0);
  return `✗ ${differ} of ${all} ${all === 1 ? 'value' : 'values'} of ${result} ${differ === 1 ? 'differs' : 'differ'}.`;
}

/** "Your values are 0.25 times ours, up to rounding." */
export const factorText = (factor: number): string =>
  `Your values are ${formatExact(Math.fround(factor))} times ours, up to rounding.`;
