import { useState } from 'preact/hooks';
import { generalFormula } from '../../../geometry/formula';
import { indexWords } from '../../../geometry/labels';
import type { TensorName } from '../../../protocol/problem';
import { alignedLatex, formulaLatex, lettersLatex } from '../../../snippets/latex/formula';
import { matrixLatex } from '../../../snippets/latex/matrix';
import { Button } from '../../../ui/controls/Button';
import { Select } from '../../../ui/controls/Choice';
import { planeOf } from '../../../views/kit/plane';
import type { Page } from '../../page';
import './latex.css';

const TENSORS: readonly TensorName[] = ['x', 'w', 'b', 'y', 'dy', 'dx', 'dw', 'db'];
const RESULTS = ['y', 'dx', 'dw', 'db'] as const;

const FORMULAS = [
  { value: 'letters', label: 'the four formulas in letters' },
  { value: 'numbers', label: 'the four formulas with this stride, dilation and padding' },
] as const;

type Wanted = TensorName | (typeof FORMULAS)[number]['value'];

/** A slice of a tensor as a matrix, or the formulas: to be put into a paper or a slide. */
export function LatexEntry({ page }: { readonly page: Page }) {
  const [wanted, want] = useState<Wanted>('x');
  const [said, say] = useState('');
  const content = page.scene.value;
  if (!content) return <p>There is nothing on the stage yet.</p>;
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
  const copy = async (latex: string) => {
    try {
      await navigator.clipboard.writeText(latex);
      say('Copied.');
    } catch {
      say('The browser did not allow copying.');
    }
  };
  return (
    <div class="latex">
      <Select
        label="what"
        options={[
          ...TENSORS.filter((name) => tensors[name]).map((name) => ({
            value: name,
            label: `${name}, the slice that one sees [${indexWords(g, name)}]`,
          })),
          ...FORMULAS,
        ]}
        value={wanted}
        onChange={(next) => {
          want(next);
          say('');
        }}
      />
      {typeof made === 'string' ? (
        <p>{made}</p>
      ) : (
        <>
          <textarea class="latex__text" aria-label="LaTeX" readOnly rows={10} value={made.latex} />
          <Button kind="primary" onClick={() => void copy(made.latex)}>
            Copy
          </Button>
        </>
      )}
      <p role="status">{said}</p>
      <p class="latex__note">
        LaTeX is what papers and many web pages write formulas in: it stands between \[ and \], with the package
        amsmath.
        {wanted === 'x' && ' The padding stands around x, beyond the lines.'}
        {wanted === 'letters' &&
          ' S are strides, D dilations, P the padding at the top and at the left. In dx only whole indices of dy count.'}
        {g.groups > 1 && ' c and k are of the same group.'}
      </p>
    </div>
  );
}
