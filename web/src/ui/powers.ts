/** Numbers of any magnitude as text: 3.1·10⁻⁴. */

const RAISED = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/** 10⁻³; 10⁰ is written 1 and 10¹ is written 10. */
export function powerOfTen(exponent: number): string {
  if (exponent === 0) return '1';
  if (exponent === 1) return '10';
  return `10${exponent < 0 ? '⁻' : ''}${[...String(Math.abs(exponent))].map((digit) => RAISED[Number(digit)]).join('')}`;
}

/** Plain from 0.001 to 99999, else with a power of ten; `digits` significant ones, trailing zeros left out. */
export function formatScientific(value: number, digits: number): string {
  if (Number.isNaN(value)) return 'NaN';
  const sign = value < 0 ? '\u2212' : '';
  const magnitude = Math.abs(value);
  if (magnitude === Infinity) return `${sign}∞`;
  if (magnitude === 0) return '0';
  if (magnitude >= 0.001 && magnitude < 99_999.5) return sign + Number(magnitude.toPrecision(digits)).toString();
  const [mantissa = '', exponent = ''] = magnitude.toExponential(digits - 1).split('e');
  const factor = Number(mantissa).toString();
  const power = powerOfTen(Number(exponent));
  return sign + (factor === '1' ? power : `${factor}·${power}`);
}
