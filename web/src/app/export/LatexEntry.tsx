import { useState } from 'preact/hooks';
import { generalFormula } from '../../geometry/formula';
import { indexWords } from '../../geometry/labels';
import { RESULTS, TENSORS, type TensorName } from '../../protocol/problem';
import { alignedLatex, formulaLatex, lettersLatex, matrixLatex } from '../../snippets/latex';
import { Button } from '../../ui/controls/Button';
import { Select } from '../../ui/controls/Choice';
import { planeOf } from '../../views/shared/plane';
import type { Page } from '../page/page';
import { useCopy } from '../page/use-copy';

const FORMULAS = [
  { value: 'letters', label: 'all formulas, symbolic' },
  { value: 'numbers', label: 'all formulas with this stride, dilation and padding' },
] as const;

type LatexContent = TensorName | (typeof FORMULAS)[number]['value'];

/** LaTeX of the visible slice of a tensor, or of the formulas. */
export function LatexEntry({ page }: { readonly page: Page }) {
  const [wanted, want] = useState<LatexContent>('x');
  const { copy, say, outcome } = useCopy();
  const content = page.currentContent.value;
  if (!content) return <p>There is nothing to export yet.</p>;
  const { geometry: g, tensors } = content;
  const bias = tensors.b !== undefined;
  const made = ((): { readonly latex: string } | string => {
    if (wanted === 'letters') return { latex: alignedLatex(RESULTS.map((name) => lettersLatex(g, name, bias))) };
    if (wanted === 'numbers') {
      const all = RESULTS.flatMap((name) => generalFormula(g, name, bias) ?? []);
      return { latex: alignedLatex(all.map(formulaLatex)) };
    }
    const tensor = tensors[wanted];
    if (!tensor) return `${wanted} is not computed yet.`;
    return matrixLatex(g, planeOf(g, wanted, page.look.focus.value), tensor.data);
  })();
  return (
    <div class="export grid loose">
      <div class="export__row row wrap">
        <Select
          label="content"
          options={[
            ...TENSORS.filter((name) => tensors[name]).map((name) => ({
              value: name,
              label: `${name}, the visible slice [${indexWords(g, name)}]`,
            })),
            ...FORMULAS,
          ]}
          value={wanted}
          onChange={(next) => {
            want(next);
            say('');
          }}
        />
      </div>
      {typeof made === 'string' ? (
        <p>{made}</p>
      ) : (
        <>
          <textarea aria-label="LaTeX" readOnly rows={10} value={made.latex} />
          <div>
            <Button kind="primary" onClick={() => void copy('LaTeX', made.latex)}>
              Copy
            </Button>
          </div>
        </>
      )}
      {outcome}
      <p class="export__note note">
        Paste it between \[ and \] in your document. It needs the package amsmath.
        {wanted === 'x' && ' Lines separate x from its padding.'}
        {wanted === 'letters' &&
          ' S is the stride, D the dilation, P the padding at the top and left. In dx only whole indices of dy count.'}
        {g.groups > 1 && ' c and k are in the same group.'}
      </p>
    </div>
  );
}
