import { floatText } from '../../formats/number-text';

/** A number in a formula; one that is hidden is a question mark, as on the page. */
export function numberLatex(value: number): string {
  if (Number.isNaN(value)) return '?';
  if (!Number.isFinite(value)) return value > 0 ? '\\infty' : '-\\infty';
  const [digits = '', power] = (value === 0 ? '0' : floatText(value)).split('e');
  return power === undefined ? digits : `${digits} \\cdot 10^{${Number(power)}}`;
}

/** The same behind a sign of an operation. */
export const bracketedLatex = (value: number): string => (value < 0 ? `(${numberLatex(value)})` : numberLatex(value));
