import type { ComponentType } from 'preact';
import { Segmented } from '../../ui/controls/Choice';
import { framesIn } from '../kit/answers';
import { Badge } from '../kit/Badge';
import { MatrixProduct, ProductWords } from '../kit/MatrixProduct';
import { isMatrixDrawable, tooLargeText } from '../kit/matrix-product';
import type { View, ViewProps } from '../kit/view';
import { useGeometry, useViewModel } from '../kit/view-model';
import { stepsOf } from '../kit/walk/steps-of';
import { Walk, WalkPlayer } from '../kit/walk/Walk';
import { ALGORITHMS, algorithmOf, DW } from './algorithms';
import { cropSentence, DilatedDy, DilatedDyPlayer, roleSwapSentence } from './DilatedDy';
import { Grouped, groupedSentence, groupSentence } from './Grouped';

interface Parts {
  readonly Component: ComponentType<ViewProps>;
  readonly Player: ComponentType<ViewProps>;
}

const PARTS: Readonly<Record<string, Parts>> = {
  im2col_gemm: { Component: Im2colProduct, Player: Im2colWords },
  dilated_dy: { Component: DilatedDy, Player: DilatedDyPlayer },
  grouped: { Component: Grouped, Player: GroupedWords },
  direct: { Component: SumWalk, Player: SumPlayer },
  sum: { Component: SumWalk, Player: SumPlayer },
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

/** dw or db after some of the positions of dy are added: all images, for each filter. */
function SumWalk({ answers, state }: ViewProps) {
  const sum = algorithmOf(state)?.sum;
  const partial = framesIn(answers)[0];
  return sum && partial ? (
    <Walk process={sum.process} partial={partial} chosen={typeof state[sum.setting] === 'number'} />
  ) : null;
}

function SumPlayer({ answers, state, wanted, onState }: ViewProps) {
  const g = useGeometry();
  const sum = algorithmOf(state)?.sum;
  const partial = framesIn(answers)[0];
  if (!sum || !partial) return null;
  const { process, setting } = sum;
  const steps = stepsOf(g, process, wanted[setting]);
  return <WalkPlayer process={process} partial={partial} wanted={steps} onSteps={(t) => onState({ [setting]: t })} />;
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
  question: 'How does the loss change with each weight, and with the bias?',
  sentence: 'Four ways to compute dw, plus db. Each result is compared with the reference.',
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
