import type { ComponentType } from 'preact';
import type { ViewState } from '../../look/look';
import type { Geometry, Pass } from '../../protocol/problem';
import { Segmented } from '../../ui/controls/Choice';
import { framesIn, type Needs, plainStage } from '../kit/answers';
import { Badge } from '../kit/Badge';
import { MatrixProduct, ProductWords } from '../kit/MatrixProduct';
import { isMatrixDrawable, type Product, tooLargeText } from '../kit/matrix-product';
import type { View, ViewProps } from '../kit/view';
import { useGeometry, useViewModel } from '../kit/view-model';
import { PROCESSES } from '../kit/walk/processes';
import { stepsOf } from '../kit/walk/steps-of';
import { Walk, WalkPlayer } from '../kit/walk/Walk';
import { cropSentence, DilatedDy, DilatedDyPlayer, roleSwapSentence, stepsDone } from './DilatedDy';
import { Grouped, groupedSentence, groupSentence } from './Grouped';

/** An algorithm for dw or db, named `id`. */
interface Algorithm {
  readonly id: string;
  readonly pass: Pass;
  readonly label: string;
  readonly idea: string;
  readonly needs: (g: Geometry, state: ViewState) => Needs;
}

const DW: Product = {
  a: { name: 'x_col', transposed: true },
  b: { name: 'dy_col', transposed: false },
  c: { name: 'dw_col', transposed: false },
};

const DB = PROCESSES.find(({ name }) => name === 'db_accumulate');

/** THE LIST of algorithms. */
const ALGORITHMS: readonly Algorithm[] = [
  {
    id: 'im2col_gemm',
    pass: 'backward_weights',
    label: 'one matrix product',
    idea: 'A column of x_col (a row of x_colᵀ) holds every cell of x that one weight multiplied. Its dot product with dy is the gradient of that weight.',
    needs: (g) => (isMatrixDrawable(g) ? [plainStage('x_col'), plainStage('dy_col'), plainStage('dw_col')] : []),
  },
  {
    id: 'dilated_dy',
    pass: 'backward_weights',
    label: 'x convolved with dy',
    idea: 'dw is a convolution of x with dy as the kernel. Stride and dilation swap roles: dy is dilated by the stride and moves by the dilation.',
    needs: (g, state) => [
      plainStage('dy_upsampled'),
      { kind: 'partial', process: 'dw_dilated_dy', steps: stepsDone(g, state) },
    ],
  },
  {
    id: 'grouped',
    pass: 'backward_weights',
    label: 'grouped convolution',
    idea: 'The same for a whole batch in one call: each channel of each image becomes a group. The results are sliced to the size of the kernel and added over the batch.',
    needs: () => [plainStage('dy_upsampled'), plainStage('dw_per_image')],
  },
  {
    id: 'sum',
    pass: 'backward_bias',
    label: 'db',
    idea: DB?.idea ?? '',
    needs: (g, state) => (DB ? [{ kind: 'partial', process: DB.name, steps: stepsOf(g, DB, state['bias-t']) }] : []),
  },
];

const algorithmOf = ({ way }: ViewState): Algorithm | undefined =>
  ALGORITHMS.find(({ id }) => id === way) ?? ALGORITHMS[0];

interface Parts {
  readonly Component: ComponentType<ViewProps>;
  readonly Player: ComponentType<ViewProps>;
}

const PARTS: Readonly<Record<string, Parts>> = {
  im2col_gemm: { Component: Im2colProduct, Player: Im2colWords },
  dilated_dy: { Component: DilatedDy, Player: DilatedDyPlayer },
  grouped: { Component: Grouped, Player: GroupedWords },
  sum: { Component: BiasWalk, Player: BiasPlayer },
};

/** dw_col = x_colᵀ · dy_col. */
function Im2colProduct({ answers }: ViewProps) {
  const g = useGeometry();
  if (!isMatrixDrawable(g)) return <p class="matrix-product__none">{tooLargeText(g)}</p>;
  return (
    <MatrixProduct product={DW} answers={answers}>
      <p>{ALGORITHMS[0]?.idea}</p>
    </MatrixProduct>
  );
}

function Im2colWords() {
  return isMatrixDrawable(useGeometry()) ? <ProductWords product={DW} /> : null;
}

function DwView(props: ViewProps) {
  const Picture = PARTS[algorithmOf(props.state)?.id ?? '']?.Component;
  return Picture ? <Picture {...props} /> : null;
}

function DwSettings({ wanted, onState }: ViewProps) {
  return (
    <Segmented
      label="algorithm"
      quiet
      options={ALGORITHMS.map(({ id, label, idea }) => ({ value: id, label, hint: idea }))}
      value={algorithmOf(wanted)?.id ?? ''}
      onChange={(id) => onState({ way: id })}
    />
  );
}

function DwPlayer(props: ViewProps) {
  const id = algorithmOf(props.state)?.id ?? '';
  const Player = PARTS[id]?.Player;
  return (
    <>
      {Player && <Player {...props} />}
      <Badge comparison={props.answers.of('compare')[0]?.answer} algorithm={id} />
    </>
  );
}

/** db: the sum of all cells of dy, over all images, for each filter. */
function BiasWalk({ answers }: ViewProps) {
  const partial = framesIn(answers)[0];
  return DB && partial ? <Walk process={DB} partial={partial} /> : null;
}

function BiasPlayer({ answers, wanted, onState }: ViewProps) {
  const g = useGeometry();
  const partial = framesIn(answers)[0];
  if (!DB || !partial) return null;
  const steps = stepsOf(g, DB, wanted['bias-t']);
  return <WalkPlayer process={DB} partial={partial} wanted={steps} onSteps={(t) => onState({ 'bias-t': t })} />;
}

function GroupedWords() {
  return <p class="player-words">{groupedSentence(useGeometry())}</p>;
}

function AboutDw({ state }: ViewProps) {
  const g = useGeometry();
  const { focus } = useViewModel();
  const algorithm = algorithmOf(state);
  return (
    <>
      <p>{algorithm?.idea}</p>
      {algorithm?.id === 'dilated_dy' && <p>{roleSwapSentence(g)}</p>}
      {algorithm?.id === 'grouped' && <p>{groupSentence(g, focus.value)}</p>}
      {(algorithm?.id === 'dilated_dy' || algorithm?.id === 'grouped') && <p>{cropSentence(g)}</p>}
      {algorithm?.id === 'sum' && (
        <p>
          {g.n} × {g.oh} × {g.ow} cells of dy are added to {g.k === 1 ? 'one value' : `${g.k} values, one per filter`}.
          The outlined cells are added already.
        </p>
      )}
    </>
  );
}

export const dwView: View = {
  sentence: 'Three ways to compute dw, plus db. Each result is compared with the reference.',
  needs(g, state) {
    const algorithm = algorithmOf(state);
    if (!algorithm) return [];
    const algorithms = ALGORITHMS.filter(({ pass }) => pass === algorithm.pass).map(({ id }) => id);
    return [...algorithm.needs(g, state), { kind: 'compare', pass: algorithm.pass, algorithms }];
  },
  sums: ['dw', 'db'],
  pass: 'backward_weights',
  Component: DwView,
  Settings: DwSettings,
  Player: DwPlayer,
  About: AboutDw,
};
