import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cellSumOf } from '../../../web/src/app/questions/cell-sum';
import { generalFormula, sumFormula } from '../../../web/src/geometry/formula';
import { gridOf } from '../../../web/src/geometry/grid';
import type { Cell, Geometry, TensorName } from '../../../web/src/protocol/problem';
import {
  alignedLatex,
  formulaLatex,
  lettersLatex,
  matrixLatex,
  numberLatex,
  sumLatex,
} from '../../../web/src/snippets/latex';
import { arbitraryGeometry, descOf, geometryOf } from '../geometry/arbitrary-geometry';

const RESULTS = ['y', 'dx', 'dw', 'db'] as const;

/** Every brace and environment is closed, and all characters are valid in LaTeX. */
function expectWellFormed(latex: string): void {
  let depth = 0;
  for (const letter of latex.replaceAll(/\\[{}]/g, '')) {
    if (letter === '{') depth += 1;
    if (letter === '}') depth -= 1;
    expect(depth, latex).toBeGreaterThanOrEqual(0);
  }
  expect(depth, latex).toBe(0);
  expect(latex.match(/\\begin/g)?.length, latex).toBe(latex.match(/\\end/g)?.length);
  expect(latex.match(/\\left/g)?.length, latex).toBe(latex.match(/\\right/g)?.length);
  expect(latex, latex).toMatch(/^[\x20-\x7e\n]*$/);
  // A second index needs braces around the first.
  expect(latex, latex).not.toMatch(/_\{[^{}]*\}_|_[a-z0-9]_/);
}

describe('formulas', () => {
  test.each([
    ['y[1,2] = Σ{p,q} x[1+p,2+q] · w[p,q] + b[0]', 'y_{1,2} = \\sum_{p,q} x_{1+p,2+q} \\cdot w_{p,q} + b_{0}'],
    ['dx[2,−1] = 0', '\\mathit{dx}_{2,-1} = 0'],
    [
      'dw_col = x_colᵀ · dy_col',
      '\\mathit{dw}_{\\mathrm{col}} = x_{\\mathrm{col}}^{\\top} \\cdot \\mathit{dy}_{\\mathrm{col}}',
    ],
    ['dx_col[0,3] = 1', '{\\mathit{dx}_{\\mathrm{col}}}_{0,3} = 1'],
    ['L = Σ (y − target)² / (2N)', 'L = \\sum (y - \\mathrm{target})^2 / (2N)'],
  ])('%s', (text, latex) => {
    expect(formulaLatex(text)).toBe(latex);
  });

  test('of every problem are well-formed, in letters and with numbers', () => {
    fc.assert(
      fc.property(arbitraryGeometry, fc.boolean(), fc.nat(), (g, bias, seed) => {
        for (const name of RESULTS) {
          expectWellFormed(lettersLatex(g, name, bias));
          expectWellFormed(formulaLatex(generalFormula(g, name, bias) ?? ''));
          const cell = { tensor: name, index: seed % gridOf(g, name).cells };
          expectWellFormed(formulaLatex(sumFormula(g, cell, bias)?.text ?? ''));
        }
        expectWellFormed(alignedLatex(RESULTS.map((name) => lettersLatex(g, name, bias))));
      }),
    );
  });
});

test('writes numbers, and a hidden one as a question mark', () => {
  expect(
    [1, -2.5, 0.1, -0, 1e-7, 3.5e-30, Number.NaN, -Infinity].map((value) => numberLatex(Math.fround(value))),
  ).toEqual(['1', '-2.5', '0.1', '0', '1 \\cdot 10^{-7}', '3.5 \\cdot 10^{-30}', '?', '-\\infty']);
});

describe('matrices', () => {
  const g = geometryOf(
    descOf({
      layout: 'nhwc',
      ...{ n: 1, h: 2, w: 2, c: 2, k: 1, groups: 1, kh: 2, kw: 2, stride_h: 1, stride_w: 1 },
      ...{ dilation_h: 1, dilation_w: 1, padding_mode: 'explicit_sides' },
      padding: { top: 1, bottom: 0, left: 0, right: 2 },
    }),
  );

  test('have the padding of x outside of rules', () => {
    const values = Float32Array.of(1, -10, 2, -20, 3, Number.NaN, 4, -40);
    expect(matrixLatex(g, { tensor: 'x', slice: 0, channel: 1 }, values)).toEqual({
      latex: `\
x_{c=1} = \\left[\\begin{array}{cc|cc}
0 & 0 & 0 & 0 \\\\ \\hline
-10 & -20 & 0 & 0 \\\\
? & -40 & 0 & 0
\\end{array}\\right]`,
    });
  });

  test('of other tensors have no padding; large ones are refused', () => {
    const made = matrixLatex(g, { tensor: 'dx', slice: 0, channel: 0 }, Float32Array.of(1, 0, 2, 0, 3, 0, 4, 0));
    expect(made).toEqual({
      latex: '\\mathit{dx}_{c=0} = \\left[\\begin{array}{cc}\n1 & 2 \\\\\n3 & 4\n\\end{array}\\right]',
    });
    const large: Geometry = { ...g, h: 70 };
    expect(matrixLatex(large, { tensor: 'x', slice: 0, channel: 0 }, new Float32Array(280))).toBe(
      'x is 71 × 4. The limit for a matrix is 64 × 64.',
    );
  });
});

describe('an explained sum', () => {
  /** Values by a known rule; results by the sums of the page's own terms. */
  const numberAt = (tensor: TensorName, index: number): number => (((index * 7 + tensor.length * 3) % 9) - 4) * 0.5;

  const made = (g: Geometry, cell: Cell, result: number, hidden: Cell | null = null) => {
    const sum = cellSumOf(g, cell, true);
    if (!sum) throw new Error('nothing made it');
    const lookUp = ({ tensor, index }: Cell) => {
      if (hidden?.tensor === tensor && hidden.index === index) return Number.NaN;
      return tensor === cell.tensor ? result : numberAt(tensor as TensorName, index);
    };
    return sumLatex(g, {
      ...{ cell, lookUp, page: sum.page, leading: sum.planes?.leading ?? 'a' },
      formula: sum.formula?.text ?? null,
      bias: sum.bias?.cell ?? null,
    });
  };

  /** The text between the first and the last equals sign. */
  function amount(latex: string): number {
    const lines = latex.split('\n').slice(1, -1);
    const numbers = lines.slice(lines.findIndex((line) => line.includes('\\sum')) + 1, -1).join(' ');
    const terms = numbers.replaceAll(/&=|&\\quad \{\}|\\\\/g, ' ').split(' + ');
    return terms
      .filter((term) => term.trim() !== '')
      .map((term) =>
        term.split('\\cdot').reduce((product, factor) => product * Number(factor.replaceAll(/[() ]/g, '')), 1),
      )
      .reduce((sum, term) => sum + term, 0);
  }

  test('has all its terms, the bias and the result', () => {
    fc.assert(
      fc.property(arbitraryGeometry, fc.nat(), fc.constantFrom(...RESULTS), (g, seed, name) => {
        const cell = { tensor: name, index: seed % gridOf(g, name).cells };
        const sum = cellSumOf(g, cell, true);
        fc.pre(sum !== null && sum.page.total > 1 && sum.page.total <= 48 && sum.formula?.text.includes('Σ') === true);
        if (!sum) return;
        const { index_a, index_b, a, b } = sum.page;
        let expected = sum.bias ? numberAt('b', sum.bias.cell.index) : 0;
        index_a.forEach((at, t) => {
          if (at >= 0) expected += numberAt(a as TensorName, at) * (b ? numberAt(b as TensorName, index_b[t] ?? 0) : 1);
        });
        const latex = made(g, cell, 12.5);
        expectWellFormed(latex);
        expect(amount(latex), latex).toBeCloseTo(expected, 6);
        expect(latex).toContain('&= 12.5\n\\end{aligned}');
      }),
    );
  });

  test('does not reveal hidden values', () => {
    const g = geometryOf(descOf({ layout: 'nhwc', n: 1, h: 4, w: 4, c: 1, k: 1, groups: 1, kh: 2, kw: 2 }));
    const cell = { tensor: 'y', index: 0 } as const;
    expect(made(g, cell, 321.5)).toContain('321.5');
    expect(made(g, cell, 321.5, cell)).not.toContain('321.5');
    expect(made(g, cell, 321.5, cell)).toContain('&= ?\n');
    expect(made(g, cell, 1, { tensor: 'b', index: 0 })).toContain(' + ?');
  });
});
