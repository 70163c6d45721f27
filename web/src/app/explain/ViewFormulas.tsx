import { generalFormula } from '../../geometry/formula';
import type { Content } from '../../protocol/messages';
import { alignedLatex, formulaLatex } from '../../snippets/latex';
import { Formula } from '../../ui/Formula';
import type { View } from '../../views/kit/view';
import { CopyLatex } from '../page/use-copy';

/** The formulas of a view, with the stride, dilation and padding of this geometry. */
export function ViewFormulas({ view, content }: { readonly view: View; readonly content: Content }) {
  const { geometry: g, tensors } = content;
  const sums = (view.sums ?? []).map((tensor) => generalFormula(g, tensor, tensors.b !== undefined));
  const shown = [...sums, ...(view.formulas?.(content) ?? [])].filter((text) => text !== null);
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
      {strided && view.sums?.includes('dx') && (
        <p class="about__sentence">In dx, only terms with whole-number rows and columns of dy count.</p>
      )}
      {g.groups > 1 && shown.length > 0 && sums.length > 0 && (
        <p class="about__sentence">c and k are in the same group.</p>
      )}
    </>
  );
}
