import { expect, test } from 'vitest';
import { DERIVATION } from '../../../web/src/app/lesson/Derivation';
import { alignedLatex, formulaLatex } from '../../../web/src/snippets/latex';
import { spokenFormula } from '../../../web/src/ui/Maths';

const formulas = DERIVATION.flatMap((step) => step.formulas);

test('formulas of the derivation are spoken as words, without signs that screen readers skip', () => {
  const spoken = formulas.map(spokenFormula);
  for (const text of spoken) expect(text).toMatch(/^[\w[\](),=+\-/ ]+$/);
  expect(spoken).toContain('dw[p,q] = sum over i,j of dL by dy[i,j] times dy[i,j] by dw[p,q]');
  expect(spoken).toContain('y = C x and dx = C transposed dy');
  expect(spoken).toContain('i = (m-p)/s and j = (n-q)/s');
});

test('formulas of the derivation are LaTeX with fractions and sums', () => {
  const latex = formulas.map(formulaLatex);
  for (const text of latex) expect(text, text).toMatch(/^[\x20-\x7e]*$/);
  expect(latex).toContain(
    '\\mathit{dw}_{p,q} = \\sum_{i,j} \\frac{\\partial L}{\\partial y_{i,j}} \\cdot \\frac{\\partial y_{i,j}}{\\partial w_{p,q}}',
  );
  expect(latex).toContain('i = \\frac{m-p}{s} \\quad\\text{and}\\quad j = \\frac{n-q}{s}');
  expect(alignedLatex(['a = b', '= c'])).toBe('\\begin{aligned}\na &= b \\\\\n &= c\n\\end{aligned}');
});
