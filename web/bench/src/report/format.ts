/** Three significant digits, never in exponent form: 0.00361, 4.54, 17791. */
export function milliseconds(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return '-';
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}

export const ratio = (value: number | undefined): string =>
  value === undefined || !Number.isFinite(value) ? '-' : value.toFixed(2);

export const percent = (value: number): string => (Number.isFinite(value) ? `${(100 * value).toFixed(0)} %` : '-');

/** A Markdown table; the first column is text, the others are numbers. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${head.map((_, i) => (i === 0 ? '---' : '---:')).join('|')}|`, ...rows.map(line)].join('\n');
}
