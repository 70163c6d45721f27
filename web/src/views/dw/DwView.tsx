import type { ComponentType } from 'preact';
import { Segmented } from '../../ui/controls/Choice';
import { framesIn } from '../kit/answers';
import { Badge } from '../kit/Badge';
import { useGeometry, usePicture } from '../kit/picture';
import type { View, ViewProps } from '../kit/view';
import { stepsOf } from '../kit/walk/steps-of';
import { Walk, WalkPlayer } from '../kit/walk/Walk';
import { DilatedDy, DilatedDyPlayer, exchangeSentence } from './DilatedDy';
import { Grouped, groupedSentence, groupSentence } from './Grouped';
import { MatrixProduct, MatrixWords } from './MatrixProduct';
import { ghostSentence } from './stops';
import { DB, WAYS, wayOf } from './ways';

interface Parts {
  readonly Component: ComponentType<ViewProps>;
  readonly Player: ComponentType<ViewProps>;
}

const PARTS: Readonly<Record<string, Parts>> = {
  im2col_gemm: { Component: MatrixProduct, Player: MatrixWords },
  dilated_dy: { Component: DilatedDy, Player: DilatedDyPlayer },
  grouped: { Component: Grouped, Player: GroupedWords },
  sum: { Component: Collapse, Player: CollapsePlayer },
};

function DwView(props: ViewProps) {
  const Picture = PARTS[wayOf(props.state)?.id ?? '']?.Component;
  return Picture ? <Picture {...props} /> : null;
}

function DwSettings({ wanted, onState }: ViewProps) {
  return (
    <Segmented
      label="way"
      quiet
      options={WAYS.map(({ id, label, idea }) => ({ value: id, label, hint: idea }))}
      value={wayOf(wanted)?.id ?? ''}
      onChange={(id) => onState({ way: id })}
    />
  );
}

function DwPlayer(props: ViewProps) {
  const id = wayOf(props.state)?.id ?? '';
  const Player = PARTS[id]?.Player;
  return (
    <>
      {Player && <Player {...props} />}
      <Badge comparison={props.answers.of('compare')[0]?.answer} algorithm={id} />
    </>
  );
}

/** dy falls into one number per filter: all its cells, of all images, added up. */
function Collapse({ answers }: ViewProps) {
  const partial = framesIn(answers)[0];
  return DB && partial ? <Walk watched={DB} partial={partial} /> : null;
}

function CollapsePlayer({ answers, wanted, onState }: ViewProps) {
  const g = useGeometry();
  const partial = framesIn(answers)[0];
  if (!DB || !partial) return null;
  const steps = stepsOf(g, DB, wanted['bias-t']);
  return <WalkPlayer watched={DB} partial={partial} wanted={steps} onSteps={(t) => onState({ 'bias-t': t })} />;
}

function GroupedWords() {
  return <p class="player-words">{groupedSentence(useGeometry())}</p>;
}

function AboutDw({ state }: ViewProps) {
  const g = useGeometry();
  const { focus } = usePicture();
  const way = wayOf(state);
  return (
    <>
      <p>{way?.idea}</p>
      {way?.id === 'dilated_dy' && <p>{exchangeSentence(g)}</p>}
      {way?.id === 'grouped' && <p>{groupSentence(g, focus.value)}</p>}
      {(way?.id === 'dilated_dy' || way?.id === 'grouped') && <p>{ghostSentence(g)}</p>}
      {way?.id === 'sum' && (
        <p>
          {g.n} × {g.oh} × {g.ow} cells of dy become {g.k === 1 ? 'one number' : `${g.k} numbers, one per filter`}. The
          outlined ones are in the sum already.
        </p>
      )}
    </>
  );
}

export const dwView: View = {
  sentence: 'What each weight hears from dy, by three algorithms, and the bias. Each is run by itself and measured.',
  needs(g, state) {
    const way = wayOf(state);
    if (!way) return [];
    const algorithms = WAYS.filter(({ pass }) => pass === way.pass).map(({ id }) => id);
    return [...way.needs(g, state), { kind: 'compare', pass: way.pass, algorithms }];
  },
  Component: DwView,
  Settings: DwSettings,
  Player: DwPlayer,
  About: AboutDw,
};
