import { floatText } from '../formats/number-text';
import { gridOf, indexAt } from '../geometry/grid';
import { cellLabel, type FactorForm, termForm } from '../geometry/labels';
import type { Terms } from '../geometry/terms';
import type { Cell, Geometry, ResultName, TensorName } from '../protocol/problem';

/** The page's formulas as LaTeX for amsmath, MathJax and KaTeX, without \\[ and \\]. */

const PLAIN: Readonly<Record<string, string>> = {
  '·': '\\cdot',
  '−': '-',
  '≈': '\\approx',
  ε: '\\varepsilon',
  '²': '^2',
  ᵀ: '^{\\top}',
  '…': '\\ldots',
  Σ: '\\sum',
  '∞': '\\infty',
  '∂': '\\partial ',
};

const WORDS: Readonly<Record<string, string>> = {
  log: '\\log',
  cosh: '\\cosh',
  tanh: '\\tanh',
  and: '\\quad\\text{and}\\quad',
  target: '\\mathrm{target}',
  floor: '\\operatorname{floor}',
};

/** "dx" is one symbol; text after an underscore is a subscript. */
export function symbol(name: string): string {
  const [letter = '', ...below] = name.split('_');
  const base = letter.length > 1 ? `\\mathit{${letter}}` : letter;
  return below.length > 0 ? `${base}_{\\mathrm{${below.join('\\_')}}}` : base;
}

/** A command ends before a letter only with a space: "s·i" is "s\cdot i". */
const spaced = (latex: string): string => latex.replaceAll(/\\cdot(?=[A-Za-z])/g, '\\cdot ');

const plain = (text: string): string => spaced([...text].map((letter) => PLAIN[letter] ?? letter).join(''));

/** A sum with its indices, a fraction, a name with its indices, a name, or other text. */
const PIECES = /Σ\{([^}]*)\}|\{([^}]*)\}\/\{([^}]*)\}|([A-Za-z_]+)\[([^\]]*)\]|([A-Za-z_]+)|([^A-Za-z_]?)/gu;

/** "y[1,2] = Σ{p,q} x[1+p,2+q] · w[p,q]" as "y_{1,2} = \sum_{p,q} x_{1+p,2+q} \cdot w_{p,q}". */
export function formulaLatex(text: string): string {
  const latex = text.replaceAll(PIECES, (_, ...pieces: (string | undefined)[]) => {
    const [over, top, bottom, name, at, word, rest] = pieces;
    if (over !== undefined) return `\\sum_{${plain(over)}}`;
    if (top !== undefined) return `\\frac{${formulaLatex(top)}}{${formulaLatex(bottom ?? '')}}`;
    if (name !== undefined) {
      const base = symbol(name);
      return `${base.includes('_') ? `{${base}}` : base}_{${plain(at ?? '')}}`;
    }
    if (word !== undefined) return WORDS[word] ?? symbol(word);
    return plain(rest ?? '');
  });
  return spaced(latex);
}

/** A pass in letters for all sizes: S for strides, D for dilations, P for the padding at the top and at the left. */
export function lettersLatex({ layout }: Pick<Geometry, 'layout'>, result: ResultName, bias: boolean): string {
  const nhwc = layout === 'nhwc';
  const pixel = (row: string, col: string, channel: string) =>
    (nhwc ? ['n', row, col, channel] : ['n', channel, row, col]).join(',\\,');
  const w = `w_{${nhwc ? 'p,q,c,k' : 'k,c,p,q'}}`;
  const x = `x_{${pixel('S_h i + D_h p - P_t', 'S_w j + D_w q - P_l', 'c')}}`;
  const out = pixel('i', 'j', 'k');
  switch (result) {
    case 'y':
      return `y_{${out}} = \\sum_{c,p,q} ${x} \\, ${w}${bias ? ' + b_k' : ''}`;
    case 'dx': {
      const [row, col] = ['(u + P_t - D_h p) / S_h', '(v + P_l - D_w q) / S_w'];
      return `\\mathit{dx}_{${pixel('u', 'v', 'c')}} = \\sum_{k,p,q} \\mathit{dy}_{${pixel(row, col, 'k')}} \\, ${w}`;
    }
    case 'dw':
      return `\\mathit{dw}_{${nhwc ? 'p,q,c,k' : 'k,c,p,q'}} = \\sum_{n,i,j} ${x} \\, \\mathit{dy}_{${out}}`;
    case 'db':
      return `\\mathit{db}_k = \\sum_{n,i,j} \\mathit{dy}_{${out}}`;
  }
}

/** Several formulas, aligned at their equals signs. */
export const alignedLatex = (formulas: readonly string[]): string =>
  formulas.length === 1
    ? (formulas[0] ?? '')
    : `\\begin{aligned}\n${formulas.map((formula) => formula.replace(/^= | = /, ' &= ')).join(' \\\\\n')}\n\\end{aligned}`;

/** A number in a formula; a hidden value is a question mark, as on the page. */
export function numberLatex(value: number): string {
  if (Number.isNaN(value)) return '?';
  if (!Number.isFinite(value)) return value > 0 ? '\\infty' : '-\\infty';
  const [digits = '', power] = (value === 0 ? '0' : floatText(value)).split('e');
  return power === undefined ? digits : `${digits} \\cdot 10^{${Number(power)}}`;
}

/** In brackets if negative, for use after an operator. */
const bracketedLatex = (value: number): string => (value < 0 ? `(${numberLatex(value)})` : numberLatex(value));

interface ExplainedSum {
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

/** Larger matrices do not fit on a page. */
const MOST = 64;

interface Slice {
  readonly tensor: TensorName;
  readonly slice: number;
  readonly channel: number;
}

/** One slice of a tensor as a matrix, with the padding of x outside of rules. Returns a sentence if it is too large. */
export function matrixLatex(
  g: Geometry,
  { tensor, slice, channel }: Slice,
  values: Float32Array,
): { readonly latex: string } | string {
  const grid = gridOf(g, tensor);
  const row = tensor === 'b' || tensor === 'db';
  const [rows, cols] = row ? [1, grid.size.channel] : [grid.size.row, grid.size.col];
  const ring = tensor === 'x' ? g.padding : { top: 0, bottom: 0, left: 0, right: 0 };
  const [height, width] = [ring.top + rows + ring.bottom, ring.left + cols + ring.right];
  if (height > MOST || width > MOST)
    return `${tensor} is ${height} × ${width}. The limit for a matrix is ${MOST} × ${MOST}.`;
  const valueAt = (r: number, c: number): string => {
    if (r < 0 || r >= rows || c < 0 || c >= cols) return '0';
    const position = row ? { slice: 0, row: 0, col: 0, channel: c } : { slice, row: r, col: c, channel };
    return numberLatex(values[indexAt(grid, position)] ?? 0);
  };
  const lines = Array.from({ length: height }, (_, r) => {
    const line = Array.from({ length: width }, (__, c) => valueAt(r - ring.top, c - ring.left)).join(' & ');
    const ends = (r === ring.top - 1 || r === ring.top + rows - 1) && r < height - 1;
    return `${line}${r < height - 1 ? ' \\\\' : ''}${ends ? ' \\hline' : ''}`;
  });
  const columns = [ring.left, cols, ring.right].map((count) => 'c'.repeat(count)).filter((part) => part !== '');
  const latex = `\
${nameOf(g, { tensor, slice, channel })} = \\left[\\begin{array}{${columns.join('|')}}
${lines.join('\n')}
\\end{array}\\right]`;
  return { latex };
}

/** The slice as a subscript, if there are several. */
function nameOf(g: Geometry, { tensor, slice, channel }: Slice): string {
  if (tensor === 'b' || tensor === 'db') return symbol(tensor);
  const { size } = gridOf(g, tensor);
  const parts = [
    ...(size.slice > 1 ? [/w$/.test(tensor) ? `k=${slice}` : `n=${slice}`] : []),
    ...(size.channel > 1 ? [/y$/.test(tensor) ? `k=${channel}` : `c=${channel}`] : []),
  ];
  return parts.length > 0 ? `${symbol(tensor)}_{${parts.join(',\\,')}}` : symbol(tensor);
}
