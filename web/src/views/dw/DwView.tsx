import { plainStage } from '../shared/answers';
import { MatrixProduct, ProductWords } from '../shared/MatrixProduct';
import { isMatrixDrawable, type Product, tooLargeText } from '../shared/matrix-product';
import { useGeometry, type ViewProps } from '../shared/view-model';
import { type Algorithm, algorithmView, walkAlgorithm } from '../shared/walk/algorithm-view';
import {
  cropSentence,
  DilatedDy,
  DilatedDyPlayer,
  Grouped,
  groupedSentence,
  groupSentence,
  roleSwapSentence,
  stepsDone,
} from './DilatedDy';

const DW: Product = {
  a: { name: 'x_col', transposed: true },
  b: { name: 'dy_col', transposed: false },
  c: { name: 'dw_col', transposed: false },
};

const IM2COL: Algorithm = {
  id: 'im2col_gemm',
  pass: 'backward_weights',
  label: 'matrix product',
  idea: 'A column of x_col (a row of x_colᵀ) holds every cell of x that one weight multiplied. Its dot product with dy is the gradient of that weight.',
  needs: ({ geometry: g }) =>
    isMatrixDrawable(g) ? [plainStage('x_col'), plainStage('dy_col'), plainStage('dw_col')] : [],
  Component: Im2colProduct,
  Player: Im2colWords,
};

/** dw_col = x_colᵀ · dy_col. */
function Im2colProduct({ answers }: ViewProps) {
  const g = useGeometry();
  if (!isMatrixDrawable(g)) return <p class="view-none">{tooLargeText(g)}</p>;
  return (
    <MatrixProduct product={DW} answers={answers}>
      <p>{IM2COL.idea}</p>
    </MatrixProduct>
  );
}

function Im2colWords() {
  return isMatrixDrawable(useGeometry()) ? <ProductWords product={DW} /> : null;
}

/** THE LIST of algorithms. */
export const DW_ALGORITHMS: readonly Algorithm[] = [
  IM2COL,
  {
    id: 'dilated_dy',
    pass: 'backward_weights',
    label: 'x convolved with dy',
    idea: 'dw is a convolution of x with dy as the kernel. Stride and dilation swap roles: dy is dilated by the stride and moves by the dilation.',
    needs: (of, state) => [
      plainStage('dy_upsampled'),
      { kind: 'partial', process: 'dw_dilated_dy', steps: stepsDone(of, state) },
    ],
    Component: DilatedDy,
    Player: DilatedDyPlayer,
    about: ({ geometry: g }) => [roleSwapSentence(g), cropSentence(g)],
  },
  {
    id: 'grouped',
    pass: 'backward_weights',
    label: 'grouped',
    idea: 'The same for a whole batch in one call: each channel of each image becomes a group. The results are sliced to the size of the kernel and added over the batch.',
    needs: () => [plainStage('dy_upsampled'), plainStage('dw_per_image')],
    Component: Grouped,
    words: groupedSentence,
    about: ({ geometry: g }, _state, focus) => [groupSentence(g, focus), cropSentence(g)],
  },
  walkAlgorithm(
    { name: 'dw_accumulate', label: 'dw adds up', result: 'dw', setting: 'accumulated' },
    {
      id: 'direct',
      pass: 'backward_weights',
      label: 'window by window',
      idea: 'Each window of x, times its cell of dy, is added to dw. Every position uses every weight, so every position adds to dw.',
    },
  ),
  walkAlgorithm(
    { name: 'db_accumulate', label: 'db adds up', result: 'db', setting: 'bias-t' },
    {
      id: 'sum',
      pass: 'backward_bias',
      label: 'db',
      idea: 'The bias is added to every cell of y, so its gradient is the sum of all cells of dy.',
      about: ({ geometry: { n, oh, ow, k } }) => [
        `${n} × ${oh} × ${ow} cells of dy are added to ${k === 1 ? 'one value' : `${k} values, one per filter`}. The outlined cells are added already.`,
      ],
    },
  ),
];

/** Links without `way` show the first; the user's click opens another (OPENS_WITH of look/look.ts). */
export const dwView = algorithmView({
  question: 'How does the loss change with each weight, and with the bias?',
  sentence: 'Four ways to compute dw, plus db. Each result is compared with the reference.',
  sums: ['dw', 'db'],
  pass: 'backward_weights',
  algorithms: DW_ALGORITHMS,
  first: IM2COL,
});
