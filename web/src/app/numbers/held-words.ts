import type { Agreement, Held } from '../../protocol/questions';
import { formatExact } from '../../ui/numbers';

/** What is said of a comparison. */

/** The most exact way in which all numbers agree; null: in none. */
export const agreementOf = ({ agreements, difference }: Held): Agreement | null =>
  agreements.find(({ cells }) => cells === difference.data.length) ?? null;

/** "✗ 12 of 64 numbers of y differ." */
export function verdictText(made: string, held: Held): string {
  const all = held.difference.data.length;
  const numbers = all === 1 ? `The one number of ${made}` : `All ${all} numbers of ${made}`;
  if (held.worst === null) return `✓ ${numbers} ${all === 1 ? 'is' : 'are'} exactly ours.`;
  const agreement = agreementOf(held);
  if (agreement) return `✓ ${numbers} ${all === 1 ? 'agrees' : 'agree'} ${agreement.how}.`;
  const differ = all - (held.agreements[0]?.cells ?? 0);
  return `✗ ${differ} of ${all} ${all === 1 ? 'number' : 'numbers'} of ${made} ${differ === 1 ? 'differs' : 'differ'}.`;
}

/** "Each of yours is 0.25 times ours." */
export const factorText = (factor: number): string =>
  `Each of yours is ${formatExact(Math.fround(factor))} times ours, up to rounding.`;
