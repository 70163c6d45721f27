import type { Agreement, ResultComparison } from '../../protocol/questions';

/** The strictest tolerance within which all values match; null if there is none. */
export const agreementOf = ({ agreements, difference }: ResultComparison): Agreement | null =>
  agreements.find(({ cells }) => cells === difference.data.length) ?? null;

/** The first tolerance, and each that more values meet than all stricter ones. */
export const tolerancesOf = ({ agreements }: ResultComparison): readonly Agreement[] =>
  agreements.filter(({ cells }, at) => agreements.slice(0, at).every((stricter) => stricter.cells < cells));
