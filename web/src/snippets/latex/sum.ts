import { cellLabel, type FactorForm, termForm } from '../../geometry/labels';
import type { Terms } from '../../geometry/terms';
import type { Cell } from '../../protocol/cell';
import type { Geometry } from '../../protocol/problem';
import { formulaLatex } from './formula';
import { bracketedLatex, numberLatex } from './number';

/** An explained sum with its values. */
export interface ExplainedSum {
  readonly cell: Cell;
  /** As on the page. */
  readonly formula: string | null;
  readonly page: Terms;
  readonly leading: 'a' | 'b';
  readonly bias: Cell | null;
  readonly lookUp: (cell: Cell) => number | null;
}

const MOST_TERMS = 48;
const A_LINE = 4;

/** The formula, its values, and the result. */
export function sumLatex(g: Geometry, { cell, formula, page, leading, bias, lookUp }: ExplainedSum): string {
  const value = (of: Cell | null) => (of === null ? 0 : (lookUp(of) ?? Number.NaN));
  const shown = Math.min(page.index_a.length, MOST_TERMS);
  const terms = Array.from({ length: shown }, (_, t) => {
    const term = termForm(g, page, t);
    if (!term) return '?';
    const both: readonly (FactorForm | null)[] = leading === 'b' ? [term.b, term.a] : [term.a, term.b];
    return both.flatMap((factor) => (factor ? [bracketedLatex(value(factor.cell))] : [])).join(' \\cdot ');
  });
  if (page.total > shown) terms.push('\\cdots');
  if (bias) terms.push(bracketedLatex(value(bias)));
  const lines = Array.from({ length: Math.ceil(terms.length / A_LINE) }, (_, line) => {
    const part = terms.slice(line * A_LINE, (line + 1) * A_LINE).join(' + ');
    return `${line === 0 ? '&= ' : '&\\quad {} + '}${part}`;
  });
  const [target = '', sum] = formulaLatex(formula ?? cellLabel(g, cell)).split(' = ');
  const rows = [...(sum === undefined ? [] : [`${target} &= ${sum}`]), ...lines, `&= ${numberLatex(value(cell))}`];
  if (sum === undefined) rows[0] = `${target} ${rows[0]}`;
  return `\\begin{aligned}\n${rows.join(' \\\\\n')}\n\\end{aligned}`;
}
