import { generalFormula } from '../../geometry/formula';
import type { ModeId } from '../../look/look';
import type { TensorName } from '../../protocol/problem';
import { alignedLatex, formulaLatex } from '../../snippets/latex/formula';
import { Formula } from '../../ui/Formula';
import type { Content } from '../../views/kit/scene';
import { CopyLatex } from '../latex/CopyLatex';

/** The tensors that a view shows as sums. */
const SUMS: Readonly<Partial<Record<ModeId, readonly TensorName[]>>> = {
  board: ['y', 'dx', 'dw', 'db'],
  steps: ['y', 'dx', 'dw', 'db'],
  dx: ['dx'],
  dw: ['dw', 'db'],
};

const OTHERS: Readonly<Partial<Record<ModeId, readonly string[]>>> = {
  lowering: ['y_col = x_col · w_col', 'dw_col = x_colᵀ · dy_col', 'dx_col = dy_col · w_colᵀ'],
  'gradient-check': ['dL/dv ≈ (L(v+ε) − L(v−ε)) / 2ε'],
};

const LOSSES = {
  mse: 'L = Σ (y − target)² / 2N',
  log_cosh: 'L = Σ log cosh(y − target) / N',
  given: 'L = Σ y · dy',
} as const;

/** The formulas of a view, with the stride, dilation and padding of this geometry. */
export function ModeFormulas({ mode, content }: { readonly mode: ModeId; readonly content: Content }) {
  const { geometry: g, tensors, loss } = content;
  const sums = (SUMS[mode] ?? []).map((tensor) => generalFormula(g, tensor, tensors.b !== undefined));
  const others = mode === 'dy' ? [LOSSES[loss?.kind ?? 'given']] : (OTHERS[mode] ?? []);
  const shown = [...sums, ...others].filter((text) => text !== null);
  const strided = g.stride_h > 1 || g.stride_w > 1;
  return (
    <>
      {shown.map((text) => (
        <Formula key={text} text={text} />
      ))}
      {shown.length > 0 && (
        <CopyLatex
          what={shown.length > 1 ? 'these formulas' : 'this formula'}
          latex={() => alignedLatex(shown.map(formulaLatex))}
        />
      )}
      {strided && SUMS[mode]?.includes('dx') && (
        <p class="about__sentence">In dx, only terms with whole-number rows and columns of dy count.</p>
      )}
      {g.groups > 1 && shown.length > 0 && sums.length > 0 && (
        <p class="about__sentence">c and k are in the same group.</p>
      )}
    </>
  );
}
