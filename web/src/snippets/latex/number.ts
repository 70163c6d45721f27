import { floatText } from '../../formats/number-text';

/** A number in a formula; a hidden value is a question mark, as on the page. */
export function numberLatex(value: number): string {
  if (Number.isNaN(value)) return '?';
  if (!Number.isFinite(value)) return value > 0 ? '\\infty' : '-\\infty';
  const [digits = '', power] = (value === 0 ? '0' : floatText(value)).split('e');
  return power === undefined ? digits : `${digits} \\cdot 10^{${Number(power)}}`;
}

/** In brackets if negative, for use after an operator. */
export const bracketedLatex = (value: number): string => (value < 0 ? `(${numberLatex(value)})` : numberLatex(value));
